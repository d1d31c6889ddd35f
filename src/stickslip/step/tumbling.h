#pragma once

#include "stickslip/state/state.h"

// Lone free bodies that turn far within a step. Of the gyroscopic torque w x I w at its start a first-order step makes
// energy: (turn)^2/2 of what changes its axis, and, where a body turns by a radian or so a step, speeds that square
// themselves from step to step. The mean over the step of the torque that a body feels which nothing else acts on,
//
//   I (w(h) - w(0)) / h,
//
// leaves it the energy it has, however far it turns.
namespace stickslip {

// `force` as ConvexMethod::explicit_force has it, with that mean in place of the torque at the start for bodies whose
// angular velocity the latter would change, in a step h, by a tenth of itself or more; by part of it from a twentieth
// on. Returns false, and leaves `mean` alone, if there is none.
bool mean_tumbling_force(const Model& model, const State& state, double h, const VectorXd& force, VectorXd& mean);

}  // namespace stickslip
