#include "stickslip/geometry/mjcf_pair.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stickslip {
namespace {

constexpr double kTiny = 1e-15;           // MuJoCo's mjMINVAL
constexpr double kLeastImpedance = 1e-4;  // mjMINIMP
constexpr double kLargestImpedance = 0.9999;

// The weight of A in a mean of the two.
double mixing_weight(double solmix_a, double solmix_b) {
  if (solmix_a < kTiny && solmix_b < kTiny) return 0.5;
  if (solmix_a < kTiny) return 0;
  if (solmix_b < kTiny) return 1;
  return solmix_a / (solmix_a + solmix_b);
}

template <std::size_t n>
std::array<double, n> mean(const std::array<double, n>& a, const std::array<double, n>& b, double weight) {
  std::array<double, n> out;
  for (std::size_t i = 0; i < n; ++i) out[i] = weight * a[i] + (1 - weight) * b[i];
  return out;
}

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

MjcfContact mix(const MjcfContact& a, const MjcfContact& b) {
  MjcfContact out = a.priority >= b.priority ? a : b;
  out.margin = a.margin + b.margin;
  out.gap = a.gap + b.gap;
  if (a.priority != b.priority) return out;
  const double weight = mixing_weight(a.solmix, b.solmix);
  out.condim = std::max(a.condim, b.condim);
  for (std::size_t i = 0; i < 3; ++i) out.friction[i] = std::max(a.friction[i], b.friction[i]);
  out.solimp = mean(a.solimp, b.solimp, weight);
  if (a.solref[0] > 0 && b.solref[0] > 0) {
    out.solref = mean(a.solref, b.solref, weight);
  } else {
    out.solref = {std::min(a.solref[0], b.solref[0]), std::min(a.solref[1], b.solref[1])};
  }
  return out;
}

Material in_physical_units(const Material& material, double mass) {
  Material out = material;
  if (!material.mjcf) return out;
  const MjcfContact& contact = *material.mjcf;
  const Impedance d(contact.solimp);
  const Reference law = reference(contact.solref, d.dmax());
  const double depth = rest_depth(d, std::max(law.K, kTiny));  // a solref without stiffness has no rest
  out.stiffness = mass * kGravity / depth;
  out.dissipation = d(depth) * law.B / kGravity;
  out.relaxation_time = out.dissipation * depth;
  out.static_friction = out.dynamic_friction = contact.condim == 1 ? 0 : contact.friction[0];
  return out;
}

}  // namespace stickslip
