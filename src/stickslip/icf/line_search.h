#pragma once

#include <cmath>
#include <cstdint>

#include "stickslip/icf/line_value.h"

namespace stickslip {

// Of the slope, relative to that at 0. The loose one costs no iterations of Newton's method but in the stiffest
// problems, which show by their many iterations.
constexpr double kLooseLineSearch = 1e-2, kExactLineSearch = 1e-10;
constexpr int kMaxLineSearchSteps = 100;

// The minimum of a convex function along a line: the root of its slope, by Newton's method within a bracket that is
// bisected where Newton would leave it or be slow. `slope0` < 0 is the slope at 0; `at(alpha)` gives slope and
// curvature. The first trial is the full Newton step; the search ends where the slope is below `tolerance` of slope0.
template <typename At>
double line_search(double slope0, double tolerance, At&& at, std::int64_t& trials) {
  const double small = tolerance * -slope0;
  double low = 0, high = 1, low_slope = slope0;
  LineValue value = at(1.0);
  ++trials;
  while (value.slope < -small) {  // the minimum lies farther out
    if (high > 1e10) return high;
    low = high;
    low_slope = value.slope;
    high *= 2;
    value = at(high);
    ++trials;
  }
  if (std::abs(value.slope) <= small) return high;

  double alpha = low + (high - low) * low_slope / (low_slope - value.slope);  // secant
  double step = high - low, previous = step;
  for (int i = 0; i < kMaxLineSearchSteps; ++i) {
    value = at(alpha);
    ++trials;
    if (std::abs(value.slope) <= small) return alpha;
    (value.slope < 0 ? low : high) = alpha;
    const double newton = alpha - value.slope / value.curvature;
    const bool inside = newton > low && newton < high;
    const double next = inside && std::abs(newton - alpha) < 0.5 * previous ? newton : 0.5 * (low + high);
    previous = step;
    step = std::abs(next - alpha);
    if (next == alpha || step <= 1e-15 * alpha) return next;
    alpha = next;
  }
  return alpha;
}

}  // namespace stickslip
