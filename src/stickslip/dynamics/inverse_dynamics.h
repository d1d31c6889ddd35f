#pragma once

#include <vector>

#include "stickslip/dynamics/acceleration.h"
#include "stickslip/dynamics/kinematics.h"
#include "stickslip/dynamics/wrench.h"

namespace stickslip {

struct InverseDynamicsWorkspace {
  std::vector<LinkAcceleration> acceleration;  // gravity counts as the world accelerating upward
  std::vector<Wrench> force;
};

// The generalised force tau that gives the acceleration vdot (nullptr: zero): M vdot + bias, by the recursive
// Newton-Euler algorithm in world axes. Needs poses and velocities. Armature times vdot is included.
void inverse_dynamics(const Model& model, const State& state, const Kinematics& kinematics, const VectorXd* vdot,
                      VectorXd& tau, InverseDynamicsWorkspace& workspace);

// Coriolis, centrifugal and gravity forces: what it takes to keep v constant.
inline void bias_force(const Model& model, const State& state, const Kinematics& kinematics, VectorXd& tau,
                       InverseDynamicsWorkspace& workspace) {
  inverse_dynamics(model, state, kinematics, nullptr, tau, workspace);
}

// The same for the articulated trees alone; tau has its size already.
void compute_articulated_bias(const Model& model, const State& state, const Kinematics& kinematics, VectorXd& tau,
                              InverseDynamicsWorkspace& workspace);

}  // namespace stickslip
