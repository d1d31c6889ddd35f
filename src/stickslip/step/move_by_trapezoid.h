#pragma once

#include "stickslip/dynamics/equations_of_motion.h"
#include "stickslip/icf/problem.h"
#include "stickslip/state/state.h"

namespace stickslip {

// q1 = q0 (+) h/2 (v0 + v1), for a problem that starts at problem.start and has the solution v1.   CENIC (25b)
//
// A lone free body's velocities are those of its centre of mass in world axes at either end: it turns by the mean of
// them, and only then is it known what they are in its own axes. `state`: the start, then the end.
void move_by_trapezoid(const Model& model, const Problem& problem, const EquationsOfMotion& start, const VectorXd& v1,
                       VectorXd& displacement, State& state);

}  // namespace stickslip
