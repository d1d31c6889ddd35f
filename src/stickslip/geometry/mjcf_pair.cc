#include "stickslip/geometry/mjcf_pair.h"

#include <algorithm>

namespace stickslip {
namespace {

constexpr double kTiny = 1e-15;  // MuJoCo's mjMINVAL

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
  const MjcfRest rest = find_rest(contact.solref, contact.solimp);
  out.stiffness = mass * kGravity / rest.depth;
  out.dissipation = rest.damping / kGravity;
  out.relaxation_time = out.dissipation * rest.depth;
  out.static_friction = out.dynamic_friction = contact.condim == 1 ? 0 : contact.friction[0];
  return out;
}

}  // namespace stickslip
