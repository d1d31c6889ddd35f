#pragma once

// The tour of the public API.
//
//   Trajectory run = simulate(compile(read_scene("pendulum.yaml")), {.simulator = {.accuracy = 1e-4}, .until = 5.0});
//
//   Simulator sim(compile(read_scene("robot.urdf")));
//   while (sim.time() < 5.0) sim.step();

// File -> Scene: plain structs, one reader a format.
#include "stickslip/scene/reader.h"
// Scene -> Model: validated, immutable.
#include "stickslip/model/coordinate_names.h"
#include "stickslip/model/model.h"
// Model -> State: a value; q (+) dv and q1 (-) q0.
#include "stickslip/state/configuration.h"
#include "stickslip/state/state.h"
// Model, State -> kinematics, Jacobians, mass matrix, forces, energies.
#include "stickslip/dynamics/energy.h"
#include "stickslip/dynamics/equations_of_motion.h"
#include "stickslip/dynamics/forces.h"
#include "stickslip/dynamics/forward_dynamics.h"
#include "stickslip/dynamics/inverse_dynamics.h"
#include "stickslip/dynamics/jacobian.h"
#include "stickslip/dynamics/kinematics.h"
#include "stickslip/dynamics/mass_matrix.h"
// Kinematics -> contacts, distances, rays.
#include "stickslip/geometry/find_contacts.h"
#include "stickslip/geometry/reach.h"
#include "stickslip/geometry/scene_queries.h"
// Scene -> text in another format.
#include "stickslip/convert/write_mjcf.h"
#include "stickslip/convert/write_yaml.h"
// Controllers, grippers and other external systems: z' = h, tau = g.
#include "stickslip/systems/function_system.h"
#include "stickslip/systems/gravity_compensation.h"
#include "stickslip/systems/inverse_dynamics_control.h"
#include "stickslip/systems/joint_pd.h"
#include "stickslip/systems/joint_pid.h"
#include "stickslip/systems/sampled.h"
#include "stickslip/systems/suction.h"
#include "stickslip/systems/trajectory_replay.h"
// State, h -> State.
#include "stickslip/step/method.h"
// Everything above in one call, or step by step.
#include "stickslip/simulate/simulator.h"
#include "stickslip/simulate/trajectory.h"
// Trajectory <-> file.
#include "stickslip/log/recorder.h"
#include "stickslip/log/recording.h"
#include "stickslip/log/recording_error.h"
// Simulator or Trajectory -> a browser.
#include "stickslip/view/live.h"
#include "stickslip/view/page_file.h"
#include "stickslip/view/server.h"
#include "stickslip/view/watch.h"

namespace stickslip {

// File -> Model in one call. Throws ModelError.
inline Model load(const std::string& file, const LoadOptions& options = {}) {
  return compile(read_scene(file, options));
}

}  // namespace stickslip
