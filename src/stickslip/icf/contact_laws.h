#pragma once

#include <algorithm>
#include <cmath>
#include <tuple>

#include "stickslip/contact/anchored_model.h"
#include "stickslip/contact/lagged_model.h"
#include "stickslip/contact/sap_model.h"
#include "stickslip/contact/similar_model.h"
#include "stickslip/icf/contact_terms.h"

// From a contact's terms and the step h to the parameters of each convex model.
namespace stickslip {

inline NormalLaw<double> normal_law(const ContactTerms& c, double h) {
  if (c.hertz > 0) return hertz_law(c.distance, h, c.hertz, c.dissipation);
  return c.relaxes() ? relaxation_law(c.distance, h, c.stiffness, c.relaxation_time)
                     : hunt_crossley_law(c.distance, h, c.stiffness, c.dissipation);
}

struct ContactLawOptions {
  bool softer_impacts = false;  // regularised: ICF (26)
};

template <template <typename> class Law>
Law<double> contact_law(const ContactTerms& c, double h, const ContactLawOptions& options);

template <>
inline LaggedModel<double> contact_law<LaggedModel>(const ContactTerms& c, double h, const ContactLawOptions& options) {
  const double radius = c.friction * h * c.force;
  const double softness =
      options.softer_impacts ? impact_softness(c.stiction_tolerance, c.inverse_mass, radius) : c.stiction_tolerance;
  return {normal_law(c, h), radius, softness};
}

template <>
inline AnchoredModel<double> contact_law<AnchoredModel>(const ContactTerms& c, double h, const ContactLawOptions&) {
  const Vector2d start = h * c.tangential_stiffness * c.displacement;
  const double kappa = h * (h * c.tangential_stiffness + c.tangential_damping);
  return {normal_law(c, h), c.friction * h * c.force, kappa, start.x(), start.y()};
}

template <>
inline SimilarModel<double> contact_law<SimilarModel>(const ContactTerms& c, double h, const ContactLawOptions&) {
  return {normal_law(c, h), c.friction, c.stiction_tolerance};
}

// SAP knows linear springs and relaxation times only. Hunt & Crossley's k x (1 - d v) has, at the overlap x of now, the
// relaxation time d x; Hertz's K x^1.5 the stiffness K sqrt(x), x being at least what the approach of now makes it.
template <>
inline SapModel<double> contact_law<SapModel>(const ContactTerms& c, double h, const ContactLawOptions&) {
  const double overlap = positive_part(-c.distance);
  const double tau = c.relaxation_time > 0 ? c.relaxation_time : c.dissipation * overlap;
  const double reached = std::max(overlap, -c.distance - h * c.velocity.z());
  const double k = c.hertz > 0 ? c.hertz * std::sqrt(positive_part(reached)) : c.stiffness;
  return {-c.distance / (h + tau), h * k * (h + tau), 1 / (kSoftnessRatio * c.inverse_mass), c.friction};
}

// How far a model acts beyond what moves: multiples of h |v| for friction mu and relaxation time tau. Similar and SAP
// feel mu |v_t| as if it were approach, and a relaxation time feels approach early.
template <template <typename> class Law>
inline double reach_factor(double h, double mu, double tau) {
  return (1 + mu) * (1 + tau / h);
}
template <>
inline double reach_factor<LaggedModel>(double h, double /*mu*/, double tau) {
  return 1 + tau / h;
}
template <>
inline double reach_factor<AnchoredModel>(double h, double mu, double tau) {
  return reach_factor<LaggedModel>(h, mu, tau);
}

// Which models need ContactTerms::inverse_mass.
template <template <typename> class Law>
constexpr bool kNeedsInverseMass = false;
template <>
inline constexpr bool kNeedsInverseMass<SapModel> = true;

// Which models remember where contacts stick.
template <template <typename> class Law>
constexpr bool kRemembers = false;
template <>
inline constexpr bool kRemembers<AnchoredModel> = true;

// Writes one contact's parameters into a lane of a pack.
template <template <typename> class Law>
void set_lane(Law<Pack>& pack, int lane, const Law<double>& law) {
  const auto to = Law<Pack>::fields(pack);
  const auto from = Law<double>::fields(law);
  [&]<size_t... I>(std::index_sequence<I...>) {
    ((std::get<I>(to)[lane] = std::get<I>(from)), ...);
  }(std::make_index_sequence<std::tuple_size_v<decltype(from)>>());
}

// And back.
template <template <typename> class Law>
Law<double> get_lane(const Law<Pack>& pack, int lane) {
  Law<double> law;
  const auto to = Law<double>::fields(law);
  const auto from = Law<Pack>::fields(pack);
  [&]<size_t... I>(std::index_sequence<I...>) {
    ((std::get<I>(to) = std::get<I>(from)[lane]), ...);
  }(std::make_index_sequence<std::tuple_size_v<decltype(from)>>());
  return law;
}

}  // namespace stickslip
