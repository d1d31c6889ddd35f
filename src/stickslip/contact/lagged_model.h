#pragma once

#include <tuple>

#include "stickslip/contact/contact_vector.h"
#include "stickslip/contact/friction.h"
#include "stickslip/contact/normal_law.h"

namespace stickslip {

// Friction with the normal impulse of the step's start, gamma_n0: normal and friction separate.   ICF (18)
//
//   l(v) = l_n(v_n) + mu gamma_n0 |v_t|_s
//
// The one consistent model: no gliding, no change of stiffness, no early contact.
template <typename T>
struct LaggedModel {
  NormalLaw<T> normal;
  T radius{};     // mu gamma_n0 [N s]
  T softness{1};  // eps_s [m/s]; never 0

  template <typename Self>
  static auto fields(Self& self) {
    return std::tie(self.normal.v_hat, self.normal.p, self.normal.q, self.normal.s, self.normal.t, self.radius,
                    self.softness);
  }

  void scale_stiffness(double factor) { normal.scale_stiffness(factor); }
  void scale_potential(double factor) {
    normal.scale_stiffness(factor);
    radius *= factor;
  }

  T potential(const ContactVector<T>& v) const {
    return normal.potential(v.n) + radius * SoftNorm<T>(T(v.x * v.x + v.y * v.y), softness).value;
  }

  ContactVector<T> impulse(const ContactVector<T>& v) const {
    const T c = radius / SoftNorm<T>(T(v.x * v.x + v.y * v.y), softness).root;
    return {-c * v.x, -c * v.y, normal.impulse(v.n)};
  }

  // `caution`, 0 to 1: how much of friction's curvature across the slip is taken along it too, where it has next to
  // none. With 1 the quadratic model is an upper bound: it cannot overshoot the kink at zero slip.
  ContactMatrix<T> hessian(const ContactVector<T>& v, double caution = 0) const {
    const T root = SoftNorm<T>(T(v.x * v.x + v.y * v.y), softness).root;
    const T c = radius / root, x = v.x / root, y = v.y / root;
    const T less = (1 - caution) * c;
    return {c - less * x * x, c - less * y * y, normal.stiffness(v.n), -less * x * y, T(0.0 * c), T(0.0 * c)};
  }
};

// Friction's softness grows with strong impacts, where resolving stiction is not worth its cost:
//   eps_s = max(v_s, sigma w mu gamma_n0)   ICF (26)
constexpr double kSoftnessRatio = 1e-3;  // sigma

inline double impact_softness(double stiction_tolerance, double inverse_mass, double radius) {
  return std::max(stiction_tolerance, kSoftnessRatio * inverse_mass * radius);
}

}  // namespace stickslip
