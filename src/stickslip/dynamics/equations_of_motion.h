#pragma once

#include "stickslip/dynamics/inverse_dynamics.h"
#include "stickslip/dynamics/kinematics.h"
#include "stickslip/dynamics/mass_matrix.h"

namespace stickslip {

// Everything in M vdot + bias = tau that depends on the state: what a step of a method starts from.
struct EquationsOfMotion {
  explicit EquationsOfMotion(const Model& model) : mass(model) {}

  Kinematics kinematics;
  MassMatrix mass;
  VectorXd bias;  // nv
  InverseDynamicsWorkspace workspace;
};

// The stages of kinematics.h, mass_matrix.h and inverse_dynamics.h together, and faster than one by one: each free body
// is visited once.
void compute_equations_of_motion(const Model& model, const State& state, EquationsOfMotion& out);

}  // namespace stickslip
