#pragma once

#include "stickslip/contact/scalar.h"

// Regularised Coulomb friction: the parts that all convex models share.
namespace stickslip {

// f(s) = s / sqrt(1 + s^2): the share of full friction at a slip of s stiction tolerances.   ICF (9)
template <typename T>
T friction_share(const T& s) {
  return s / square_root(T(1.0 + s * s));
}

// The soft norm |x|_s = sqrt(|x|^2 + e^2) - e = e F(|x|/e), written without the difference of near numbers.   ICF A
template <typename T>
struct SoftNorm {
  T value, root;  // |x|_s and sqrt(|x|^2 + e^2); the soft unit vector is x / root

  SoftNorm(const T& squared_norm, const T& e) : value{}, root(square_root(T(squared_norm + e * e))) {
    value = squared_norm / (root + e);
  }
};

constexpr double kTransitionWidth =
    10;  // Delta: slip, in stiction tolerances, at which friction is half dynamic, CENIC (8)

// Friction coefficient between static and dynamic at a slip of s >= 0 stiction tolerances.   CENIC (7)-(8)
// The paper's sigma does not vanish for large s; ours does: sigma = (1 - f(s - Delta)) / (1 + f(Delta)).
inline double friction_coefficient(double mu_static, double mu_dynamic, double s) {
  if (mu_static == mu_dynamic) return mu_dynamic;
  const double sigma = (1 - friction_share(s - kTransitionWidth)) / (1 + friction_share(kTransitionWidth));
  return mu_dynamic + (mu_static - mu_dynamic) * sigma;
}

enum class ContactMode { kOpen = 0, kStick = 1, kSlip = 2 };

constexpr double kStickShare = 0.99;  // f(s) below which a contact counts as sticking: s < 7

inline ContactMode contact_mode(double normal_force, double slip, double stiction_tolerance) {
  if (!(normal_force > 0)) return ContactMode::kOpen;
  return friction_share(slip / stiction_tolerance) < kStickShare ? ContactMode::kStick : ContactMode::kSlip;
}

}  // namespace stickslip
