#include "stickslip/geometry/pair_material.h"

#include <algorithm>
#include <cmath>

#include "stickslip/geometry/mjcf_pair.h"

namespace stickslip {
namespace {

// k_b / (k_a + k_b): A's part of the overlap. Two rigid sides, or two without stiffness, share equally.
double compliance_share(double k_a, double k_b) {
  if (k_a == k_b) return 0.5;
  if (std::isinf(k_a)) return 0;
  if (std::isinf(k_b)) return 1;
  return k_b / (k_a + k_b);
}

double harmonic_mean(double a, double b) { return a + b > 0 ? 2 * a * b / (a + b) : 0; }

}  // namespace

PairMaterial combine(const Material& a, const Material& b) {
  PairMaterial pair;
  const double share_a = compliance_share(a.stiffness, b.stiffness);
  const double share_b = 1 - share_a;
  // Under a common force k_a share_a = k_b share_b = k; the side with the larger share is the one that is not rigid.
  pair.stiffness = share_a >= share_b ? share_a * a.stiffness : share_b * b.stiffness;
  pair.dissipation = share_a * a.dissipation + share_b * b.dissipation;
  pair.relaxation_time = share_a * a.relaxation_time.value_or(0) + share_b * b.relaxation_time.value_or(0);
  pair.static_friction = harmonic_mean(a.static_friction, b.static_friction);
  pair.dynamic_friction = harmonic_mean(a.dynamic_friction, b.dynamic_friction);
  pair.stiction_tolerance = std::min(a.stiction_tolerance, b.stiction_tolerance);
  pair.compliance_share_a = share_a;
  return pair;
}

PairMaterial whole_pair(const Material& pair) {
  return {.stiffness = pair.stiffness,
          .dissipation = pair.dissipation,
          .relaxation_time = pair.relaxation_time.value_or(0),
          .static_friction = pair.static_friction,
          .dynamic_friction = pair.dynamic_friction,
          .stiction_tolerance = pair.stiction_tolerance};
}

PairMaterial pair_material(const Material& a, const Material& b, double mass) {
  if (!a.mjcf && !b.mjcf) return combine(a, b);
  if (!a.mjcf || !b.mjcf) return combine(in_physical_units(a, mass), in_physical_units(b, mass));
  Material both;
  both.mjcf = mix(*a.mjcf, *b.mjcf);
  both.stiction_tolerance = std::min(a.stiction_tolerance, b.stiction_tolerance);
  return whole_pair(in_physical_units(both, mass));
}

}  // namespace stickslip
