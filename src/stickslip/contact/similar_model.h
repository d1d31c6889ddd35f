#pragma once

#include <tuple>

#include "stickslip/contact/contact_vector.h"
#include "stickslip/contact/friction.h"
#include "stickslip/contact/normal_law.h"

namespace stickslip {

// Normal and friction impulse depend on one combination of the velocities:
//
//   z = v_n - mu |v_t|_s,   gamma_n = n(z),   gamma_t = -mu f(s) n(z) t      ICF (19)-(20)
//   l(v) = l_n(z)                                                           ICF (21)
//
// Sliding bodies glide at the height mu h |v_t|, and feel the stiffness k (1 + mu d |v_t|).
template <typename T>
struct SimilarModel {
  NormalLaw<T> normal;
  T mu{};
  T softness{1};  // eps_s [m/s]; never 0

  template <typename Self>
  static auto fields(Self& self) {
    return std::tie(self.normal.v_hat, self.normal.p, self.normal.q, self.normal.s, self.normal.t, self.mu,
                    self.softness);
  }

  void scale_stiffness(double factor) { normal.scale_stiffness(factor); }
  void scale_potential(double factor) { scale_stiffness(factor); }

  T potential(const ContactVector<T>& v) const { return normal.potential(combined(v, soft_slip(v))); }

  ContactVector<T> impulse(const ContactVector<T>& v) const {
    const SoftNorm<T> slip = soft_slip(v);
    const T n = normal.impulse(combined(v, slip));
    const T c = mu * n / slip.root;
    return {-c * v.x, -c * v.y, n};
  }

  // H = -n' grad z grad z' + mu n (f'/eps P + f/|v_t| P_perp),  grad z = (-mu f t, 1)
  // `caution`: as in LaggedModel.
  ContactMatrix<T> hessian(const ContactVector<T>& v, double caution = 0) const {
    const SoftNorm<T> slip = soft_slip(v);
    const T z = combined(v, slip);
    const T c = mu * normal.impulse(z) / slip.root, k = normal.stiffness(z);
    const T x = v.x / slip.root, y = v.y / slip.root;
    const T more = mu * mu * k - (1 - caution) * c;
    return {c + more * x * x, c + more * y * y, k, more * x * y, -mu * k * x, -mu * k * y};
  }

 private:
  SoftNorm<T> soft_slip(const ContactVector<T>& v) const { return SoftNorm<T>(T(v.x * v.x + v.y * v.y), softness); }
  T combined(const ContactVector<T>& v, const SoftNorm<T>& slip) const { return v.n - mu * slip.value; }
};

}  // namespace stickslip
