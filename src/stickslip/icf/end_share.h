#pragma once

#include <algorithm>

#include "stickslip/icf/problem.h"

// Half at either end of a step makes the trapezoid rule, which is of second order but hardly damps what swings faster
// than steps can tell: a body that rests on something stiff would hop. So contacts, limits and forces act the more at
// the end alone the stiffer they are.
namespace stickslip {

// The part of an impulse that the rule takes from the end of a step h, of a stiffness k and a damping c on the mass m:
// half where it can tell the swings, z^2 = h (h k + c)/m up to 1; all of it from 4 on, where swings are forgotten
// within a few steps.
inline double end_share(double h, double k, double c, double inverse_mass) {
  constexpr double kTold = 1, kNotTold = 4;
  const double z2 = h * (h * k + c) * inverse_mass;
  if (!(z2 < kNotTold)) return 1;
  return 0.5 + 0.5 * std::max(0.0, (z2 - kTold) / (kNotTold - kTold));
}

// The part of its impulse that `spec` (what acts, with its own end_share) gives in a problem.
template <typename Spec>
double share_in(const Problem& problem, const Spec& spec) {
  return problem.is_trapezoid ? spec.end_share(problem.h) : 1;
}

}  // namespace stickslip
