#pragma once

#include "stickslip/state/state.h"

namespace stickslip {

// A lone free body that only its own weight acts on, moved without the errors of a step: its centre of mass along the
// parabola, its rotation with the angular momentum of the start.
//
//   x = x0 + h u0 + h^2/2 a,   R' = R [w],   I w = R' L,   L constant
//
// The rotation is integrated by as many short steps of fourth order as it takes to be exact for `accuracy` [rad].

// Whether a tree can fly: a lone free body whose joint has no spring, damper or armature.
bool can_fly(const Model& model, int tree);

// `force`: on the body at the start, see ConvexMethod::explicit_force. False, and nothing is done, if it is not a force
// through the centre of mass alone.
bool fly(const Model& model, int tree, const State& start, const VectorXd& force, double h, double accuracy,
         State& end);

}  // namespace stickslip
