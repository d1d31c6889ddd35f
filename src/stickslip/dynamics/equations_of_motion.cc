#include "stickslip/dynamics/equations_of_motion.h"

#include "stickslip/dynamics/free_bodies.h"

namespace stickslip {

void compute_equations_of_motion(const Model& model, const State& state, EquationsOfMotion& out) {
  out.kinematics.resize(model);
  out.bias.resize(model.nv);
  compute_free_terms(model, state, out.kinematics, out.mass, out.bias);
  compute_articulated_poses(model, state, out.kinematics);
  compute_articulated_velocities(model, state, out.kinematics);
  compute_articulated_masses(model, out.kinematics, out.mass);
  compute_articulated_bias(model, state, out.kinematics, out.bias, out.workspace);
}

}  // namespace stickslip
