#pragma once

#include <cmath>
#include <cstdint>

#include "stickslip/icf/line_value.h"

namespace stickslip {

// Of the slope, relative to that at 0. The loose one costs no iterations of Newton's method but in the stiffest
// problems, which show by their many iterations.
constexpr double kLooseLineSearch = 1e-2, kExactLineSearch = 1e-10;
constexpr int kMaxLineSearchSteps = 100;

// Where the search goes after the full Newton step went too far.
enum class LineSearchStart {
  kCubic,      // the root of the cubic that has slope and curvature of both ends
  kQuadratic,  // the root of the straight line between the slopes of both ends
  kFull,       // Newton's method for the slope, from the full step
};

// The root, in [0, 1], of the cubic with values f0 < 0 < f1 and derivatives d0, d1 at 0 and 1; to three digits, since
// the cubic itself is a guess.
inline double cubic_root(double f0, double d0, double f1, double d1) {
  constexpr double kClose = 1e-3;
  const double a = d0 + d1 - 2 * (f1 - f0), b = 3 * (f1 - f0) - 2 * d0 - d1;
  double low = 0, high = 1, x = f0 / (f0 - f1);
  for (int i = 0; i < 8; ++i) {
    const double f = ((a * x + b) * x + d0) * x + f0, slope = (3 * a * x + 2 * b) * x + d0;
    (f < 0 ? low : high) = x;
    const double newton = x - f / slope, last = x;
    x = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (std::abs(x - last) < kClose) break;
  }
  return x;
}

// The minimum of a convex function along a line: the root of its slope, by Newton's method within a bracket that is
// bisected where Newton would leave it or be slow. `first` has slope (negative) and curvature at 0; `at(alpha)` gives
// them elsewhere. The first trial is the full Newton step; the search ends where the slope is below `tolerance` of the
// first.
template <typename At>
double line_search(const LineValue& first, double tolerance, LineSearchStart start, At&& at, std::int64_t& trials) {
  const double small = tolerance * -first.slope;
  double low = 0, high = 1;
  LineValue at_low = first, value = at(1.0);
  ++trials;
  while (value.slope < -small) {  // the minimum lies farther out
    if (high > 1e10) return high;
    low = high;
    at_low = value;
    high *= 2;
    value = at(high);
    ++trials;
  }
  if (std::abs(value.slope) <= small) return high;

  const double width = high - low;
  double alpha = low + width * at_low.slope / (at_low.slope - value.slope);
  if (start == LineSearchStart::kCubic)
    alpha = low + width * cubic_root(at_low.slope, width * at_low.curvature, value.slope, width * value.curvature);
  if (start == LineSearchStart::kFull) {
    const double newton = high - value.slope / value.curvature;
    alpha = newton > low && newton < high ? newton : low + 0.5 * width;
  }
  double step = width, previous = step;
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
