#pragma once

#include "stickslip/dynamics/equations_of_motion.h"
#include "stickslip/icf/problem.h"
#include "stickslip/state/state.h"
#include "stickslip/step/free_turns.h"

namespace stickslip {

// q1 = q0 (+) h/2 (v0 + v1), for a problem that starts at problem.start and has the solution v1.   CENIC (25b)
//
// A lone free body's velocities are those of its centre of mass in world axes at either end, where that of the end was
// predicted. It turns as a body does that nothing acts on, with the mean of both ends' angular momenta, and only then
// is it known what the velocities are in its own axes. `state`: the start, then the end.
void move_by_trapezoid(const Model& model, const FreeTurns& free_turns, const Problem& problem,
                       const EquationsOfMotion& start, const EquationsOfMotion& predicted, const VectorXd& v1,
                       VectorXd& displacement, State& state);

}  // namespace stickslip
