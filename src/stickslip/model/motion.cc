#include "stickslip/model/motion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {
namespace {

// A cubic that is at neither end steeper than this many times its mean slope is monotone (de Boor and Swartz, 1977).
constexpr double kSteepest = 3;

}  // namespace

MotionCurve::MotionCurve(const Motion& motion) : motion_(motion), slopes_(motion.times.size(), 0.0) {
  const std::vector<double>& t = motion_.times;
  const std::vector<double>& s = motion_.values;
  // End slopes stay zero: outside the table the motion is held, so that velocity is continuous there too.
  for (size_t i = 1; i + 1 < t.size(); ++i) {
    const double before = (s[i] - s[i - 1]) / (t[i] - t[i - 1]), after = (s[i + 1] - s[i]) / (t[i + 1] - t[i]);
    if (before * after <= 0) continue;  // a peak, a valley, or the end of a rest
    const double steepest = kSteepest * std::min(std::abs(before), std::abs(after));
    slopes_[i] = std::clamp((s[i + 1] - s[i - 1]) / (t[i + 1] - t[i - 1]), -steepest, steepest);
  }
}

MotionSample MotionCurve::at(double time) const {
  switch (motion_.kind) {
    case Motion::Kind::kConstant:
      return {motion_.velocity * time, motion_.velocity, 0};
    case Motion::Kind::kSine: {
      const double omega = 2 * std::numbers::pi * motion_.frequency;
      const double phase = omega * time + motion_.phase;
      const double sine = motion_.amplitude * std::sin(phase);
      return {sine, omega * motion_.amplitude * std::cos(phase), -omega * omega * sine};
    }
    case Motion::Kind::kTable:
      return table_at(time);
  }
  return {};
}

MotionSample MotionCurve::table_at(double time) const {
  const std::vector<double>& t = motion_.times;
  const std::vector<double>& s = motion_.values;
  if (t.empty()) return {};
  if (time <= t.front()) return {s.front(), 0, 0};
  if (time >= t.back()) return {s.back(), 0, 0};
  const size_t i = static_cast<size_t>(std::upper_bound(t.begin(), t.end(), time) - t.begin()) - 1;
  // Hermite's cubic on [t_i, t_i+1] in x = (time - t_i)/h, as a polynomial c0 + c1 x + c2 x^2 + c3 x^3.
  const double h = t[i + 1] - t[i];
  const double x = (time - t[i]) / h;
  const double rise = s[i + 1] - s[i];
  const double m0 = h * slopes_[i];
  const double m1 = h * slopes_[i + 1];
  const double c2 = 3 * rise - 2 * m0 - m1;
  const double c3 = m0 + m1 - 2 * rise;
  return {s[i] + x * (m0 + x * (c2 + x * c3)), (m0 + x * (2 * c2 + x * 3 * c3)) / h, (2 * c2 + 6 * c3 * x) / (h * h)};
}

}  // namespace stickslip
