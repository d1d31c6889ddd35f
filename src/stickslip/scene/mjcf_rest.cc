#include "stickslip/scene/mjcf_rest.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stickslip/scene/scene.h"

namespace stickslip {
namespace {

constexpr double kTiny = 1e-15;           // MuJoCo's mjMINVAL
constexpr double kLeastImpedance = 1e-4;  // mjMINIMP
constexpr double kLargestImpedance = 0.9999;

// d(x): from dmin at the surface to dmax at depth `width`, by two powers that meet at the middle.
class Impedance {
 public:
  explicit Impedance(const std::array<double, 5>& solimp)
      : dmin_(std::clamp(solimp[0], kLeastImpedance, kLargestImpedance)),
        dmax_(std::clamp(solimp[1], kLeastImpedance, kLargestImpedance)),
        width_(solimp[2]),
        middle_(std::clamp(solimp[3], kLeastImpedance, kLargestImpedance)),
        power_(std::max(1.0, solimp[4])) {}

  double operator()(double depth) const {
    if (dmin_ == dmax_ || width_ <= kTiny) return 0.5 * (dmin_ + dmax_);
    const double x = depth / width_;
    return x >= 1 ? dmax_ : dmin_ + rise(x) * (dmax_ - dmin_);
  }
  double dmax() const { return dmax_; }

 private:
  double rise(double x) const {
    const double toward_end = 1 - middle_;
    return x <= middle_ ? middle_ * power(x / middle_) : 1 - toward_end * power((1 - x) / toward_end);
  }
  double power(double x) const { return power_ == 2 ? x * x : std::pow(x, power_); }

  double dmin_, dmax_, width_, middle_, power_;
};

// x'' = -d (B x' + d K x)
struct Reference {
  double K = 0;  // [1/s^2]
  double B = 0;  // [1/s]
};

Reference reference(std::array<double, 2> solref, double dmax) {
  if ((solref[0] > 0) != (solref[1] > 0)) solref = MjcfContact{}.solref;  // neither form: MuJoCo takes its default
  if (solref[0] <= 0) return {-solref[0] / (dmax * dmax), -solref[1] / dmax};
  const double time = dmax * solref[0];
  return {1 / std::max(kTiny, time * time * solref[1] * solref[1]), 2 / std::max(kTiny, time)};
}

// Where d^2 K x = (1 - d) g. d is monotone but has a kink at each end, so by secants within a bracket (Illinois): every
// pair of every step asks. Where d rises the answer for d(0) is an upper bound; where it falls, which MuJoCo allows,
// doubling finds one.
double rest_depth(const Impedance& d, double K) {
  constexpr int kMostSteps = 60;
  constexpr double kEnough = 1e-14;  // of the depth
  const auto excess = [&](double x) {
    const double impedance = d(x);
    return impedance * impedance * K * x - (1 - impedance) * kGravity;
  };
  double low = 0, f_low = excess(0), high = (1 - d(0)) * kGravity / (d(0) * d(0) * K), f_high = excess(high);
  while (f_high < 0) {
    low = std::exchange(high, 2 * high);
    f_low = std::exchange(f_high, excess(high));
  }
  int last_side = 0;
  for (int i = 0; i < kMostSteps && high - low > kEnough * high; ++i) {
    const double x = low + (high - low) * (f_low / (f_low - f_high));
    const double f = excess(x);
    if (f == 0 || x <= low || x >= high) return std::clamp(x, low, high);
    const int side = f < 0 ? -1 : 1;
    // An end that stays twice is weighed less, so that the other comes nearer.
    if (side < 0) {
      low = x;
      f_low = f;
      if (last_side == side) f_high *= 0.5;
    } else {
      high = x;
      f_high = f;
      if (last_side == side) f_low *= 0.5;
    }
    last_side = side;
  }
  return 0.5 * (low + high);
}

}  // namespace

MjcfRest find_rest(const std::array<double, 2>& solref, const std::array<double, 5>& solimp) {
  const Impedance d(solimp);
  const Reference law = reference(solref, d.dmax());
  const double K = std::max(law.K, kTiny);  // a solref without stiffness has no rest
  const double depth = rest_depth(d, K);
  return {depth, d(depth) * law.B, 0.5 * law.B / std::sqrt(K)};
}

}  // namespace stickslip
