#pragma once

#include <algorithm>

namespace stickslip {

// A force that is linear in one velocity, within bounds: gamma(v) = clamp(c (v_hat - v), lower, upper), c > 0.
//
// Springs and dampers (no bounds), actuators with effort limits and dry friction all have this impulse over a step.
// With y = c (v_hat - v) and g = clamp(y) its potential is g (y - g/2)/c, Huber's function where the bounds enclose 0.
// CENIC (19)-(20), whose cost is discontinuous as printed
struct ClampLaw {
  double v_hat = 0;
  double c = 0;
  double lower = 0, upper = 0;  // [N s, N m s]; may be infinite

  void scale_potential(double factor) {
    c *= factor;
    lower *= factor;
    upper *= factor;
  }

  bool is_silent(double /*v*/) const { return false; }
  double potential(double v) const {
    const double y = c * (v_hat - v), g = std::clamp(y, lower, upper);
    return g * (y - 0.5 * g) / c;
  }
  double impulse(double v) const { return std::clamp(c * (v_hat - v), lower, upper); }
  double stiffness(double v) const {
    const double y = c * (v_hat - v);
    return y > lower && y < upper ? c : 0;
  }
};

}  // namespace stickslip
