#pragma once

#include "stickslip/base/status.h"
#include "stickslip/dynamics/forces.h"
#include "stickslip/dynamics/forward_dynamics.h"
#include "stickslip/dynamics/kinematics.h"

namespace stickslip {

// Everything smooth about one state: poses, velocities, and the forces of the model's own elements.
struct SmoothDynamics {
  Kinematics kinematics;
  AppliedForces forces;

  void evaluate(const Model& model, const State& state);
};

// vdot of the state just evaluated; damping that acts over `implicit_step` seconds is taken at the end of them (0:
// explicit).
class AccelerationSolver {
 public:
  Status solve(const Model& model, const State& state, const SmoothDynamics& smooth, double implicit_step,
               VectorXd& vdot);

 private:
  VectorXd extra_;
  ForwardDynamicsWorkspace workspace_;
};

// What to say of a link whose joint moves no inertia.
Status singular_mass(const Model& model, const State& state, int link);

// Ok if every number of q and v is finite; otherwise names the body and the time of the last good state.
Status check_finite(const Model& model, const State& last_good, const State& next);

}  // namespace stickslip
