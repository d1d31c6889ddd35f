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

// (1 - nu^2)/E; 0 for a side without a modulus.
double elastic_compliance(const Material& side) {
  return side.youngs_modulus ? (1 - side.poisson_ratio * side.poisson_ratio) / *side.youngs_modulus : 0;
}

double hertz_coefficient(double compliance, double radius) { return 4.0 / 3 / compliance * std::sqrt(radius); }

}  // namespace

double PairMaterial::force_at(double overlap) const {
  const double x = std::max(0.0, overlap);
  return hertz > 0 ? hertz * x * std::sqrt(x) : stiffness * x;
}

double PairMaterial::stiffness_at(double overlap) const {
  return hertz > 0 ? 1.5 * hertz * std::sqrt(std::max(0.0, overlap)) : stiffness;
}

double PairMaterial::energy_at(double overlap) const { return (hertz > 0 ? 0.4 : 0.5) * force_at(overlap) * overlap; }

PairMaterial combine(const Material& a, const Material& b, double radius) {
  PairMaterial pair;
  const double soft_a = elastic_compliance(a), soft_b = elastic_compliance(b);
  const bool is_hertz = soft_a + soft_b > 0 && radius < kInfinity;
  const double share_a = is_hertz ? soft_a / (soft_a + soft_b) : compliance_share(a.stiffness, b.stiffness);
  const double share_b = 1 - share_a;
  // Under a common force k_a share_a = k_b share_b = k; the side with the larger share is the one that is not rigid.
  if (is_hertz)
    pair.hertz = hertz_coefficient(soft_a + soft_b, radius);
  else
    pair.stiffness = share_a >= share_b ? share_a * a.stiffness : share_b * b.stiffness;
  pair.dissipation = share_a * a.dissipation + share_b * b.dissipation;
  if (!is_hertz)
    pair.relaxation_time = share_a * a.relaxation_time.value_or(0) + share_b * b.relaxation_time.value_or(0);
  pair.static_friction = harmonic_mean(a.static_friction, b.static_friction);
  pair.dynamic_friction = harmonic_mean(a.dynamic_friction, b.dynamic_friction);
  pair.stiction_tolerance = std::min(a.stiction_tolerance, b.stiction_tolerance);
  pair.compliance_share_a = share_a;
  pair.has_grain = a.grain || b.grain;
  return pair;
}

PairMaterial whole_pair(const Material& pair, double radius) {
  const bool is_hertz = pair.youngs_modulus && radius < kInfinity;
  return {.stiffness = is_hertz ? 0 : pair.stiffness,
          .hertz = is_hertz ? hertz_coefficient(elastic_compliance(pair), radius) : 0,
          .dissipation = pair.dissipation,
          .relaxation_time = pair.relaxation_time.value_or(0),
          .static_friction = pair.static_friction,
          .dynamic_friction = pair.dynamic_friction,
          .stiction_tolerance = pair.stiction_tolerance,
          .has_grain = pair.grain.has_value()};
}

PairMaterial pair_material(const Material& a, const Material& b, double mass, double radius) {
  if (!a.mjcf && !b.mjcf) return combine(a, b, radius);
  if (!a.mjcf || !b.mjcf) return combine(in_physical_units(a, mass), in_physical_units(b, mass), radius);
  Material both;
  both.mjcf = mix(*a.mjcf, *b.mjcf);
  both.stiction_tolerance = std::min(a.stiction_tolerance, b.stiction_tolerance);
  return whole_pair(in_physical_units(both, mass));
}

}  // namespace stickslip
