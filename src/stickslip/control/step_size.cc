#include "stickslip/control/step_size.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

double ideal_step(double h, double error, double accuracy, int order, const StepSizeRule& rule) {
  return rule.safety * h * std::pow(accuracy / error, 1.0 / order);
}

double next_step(double h, double error, double accuracy, int order, const StepSizeRule& rule) {
  if (error == 0) return rule.growth * h;
  const double ideal = ideal_step(h, error, accuracy, order, rule);
  if (ideal > rule.low * h && ideal < rule.high * h) return h;
  return std::min(ideal, rule.growth * h);
}

double shorter_step(double h, double error, double accuracy, int order, const StepSizeRule& rule) {
  const double ideal = std::isfinite(error) ? ideal_step(h, error, accuracy, order, rule) : 0;
  return std::clamp(ideal, rule.shrinkage * h, rule.safety * h);
}

}  // namespace stickslip
