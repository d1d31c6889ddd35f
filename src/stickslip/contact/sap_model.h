#pragma once

#include <tuple>

#include "stickslip/contact/contact_vector.h"
#include "stickslip/contact/scalar.h"

namespace stickslip {

// Semi-analytic primal contact: linear normal spring with relaxation time, friction as stiff as R_t allows, and the
// impulse projected onto the friction cone in the norm of R.   ICF (17), and SAP for the rest
//
//   y = R^-1 (v_hat - v),  R = diag(R_t, R_t, R_n),  v_hat = (0, 0, -phi0/(h + tau))
//   stick  |y_t| <= mu y_n               gamma = y
//   slip   y_n > -mu (R_t/R_n) |y_t|     gamma_n = (y_n + mu (R_t/R_n) |y_t|) / (1 + mu^2 R_t/R_n)
//   open   otherwise                     gamma = 0
//   l(v) = 1/2 gamma' R gamma
//
// Sliding bodies glide at the height mu (h + tau) |v_t|; the stiffness is k / (1 + mu^2 R_t/R_n).
template <typename T>
struct SapModel {
  T v_hat{};                     // [m/s]
  T inverse_Rn{}, inverse_Rt{};  // [kg]; zero: no contact
  T mu{};

  template <typename Self>
  static auto fields(Self& self) {
    return std::tie(self.v_hat, self.inverse_Rn, self.inverse_Rt, self.mu);
  }

  void scale_stiffness(double factor) { inverse_Rn *= factor; }
  void scale_potential(double factor) {
    inverse_Rn *= factor;
    inverse_Rt *= factor;
  }

  T potential(const ContactVector<T>& v) const {
    const Projection at(*this, v);
    const T stick = square(at.yt) / at.safe(inverse_Rt) + square(at.yn) / at.safe(inverse_Rn);
    const T slip = square(at.gamma_n) * (at.one_plus) / at.safe(inverse_Rn);
    return 0.5 * select(at.sticks, stick, slip);
  }

  ContactVector<T> impulse(const ContactVector<T>& v) const {
    const Projection at(*this, v);
    const T c = select(at.sticks, inverse_Rt, T(mu * at.gamma_n / at.safe(at.speed)));
    return {-c * v.x, -c * v.y, select(at.sticks, at.yn, at.gamma_n)};
  }

  // Slip: with z = y_n + m |y_t|, m = mu R_t/R_n: gamma_n = z+/(1 + mt^2), d gamma_n = -(1/R_n, mu/R_n t)/(1 + mt^2).
  ContactMatrix<T> hessian(const ContactVector<T>& v, double /*caution*/ = 0) const {
    const Projection at(*this, v);
    const T speed = at.safe(at.speed);
    const T x = v.x / speed, y = v.y / speed;
    const T k = step_function(at.gamma_n) * inverse_Rn / at.one_plus;
    const T c = mu * at.gamma_n / speed, kt = mu * mu * k;
    const ContactMatrix<T> slip{
        c * (1.0 - x * x) + kt * x * x, c * (1.0 - y * y) + kt * y * y, k, (kt - c) * x * y, -mu * k * x, -mu * k * y};
    const T zero = T(0.0 * k);
    return {select(at.sticks, inverse_Rt, slip.xx), select(at.sticks, inverse_Rt, slip.yy),
            select(at.sticks, inverse_Rn, slip.nn), select(at.sticks, zero, slip.xy),
            select(at.sticks, zero, slip.xn),       select(at.sticks, zero, slip.yn)};
  }

 private:
  static T square(const T& x) { return x * x; }

  // Where y lies, and what the slip branch gives there (zero beyond the cone's dual).
  struct Projection {
    T speed, yt, yn, one_plus, gamma_n, sticks;

    Projection(const SapModel& law, const ContactVector<T>& v)
        : speed(square_root(T(v.x * v.x + v.y * v.y))),
          yt(law.inverse_Rt * speed),
          yn(law.inverse_Rn * (law.v_hat - v.n)),
          // mt^2 = mu^2 R_t/R_n
          one_plus(1.0 + law.mu * law.mu * law.inverse_Rn / safe(law.inverse_Rt)),
          gamma_n{},
          // mu y_n - |y_t| >= 0 and y_n > 0; the apex y = 0 is open
          sticks(select(yn, select(T(law.mu * yn - yt), T(one_plus), T(0.0 * yn)), T(0.0 * yn))) {
      gamma_n = positive_part(T(yn + law.mu * law.inverse_Rn * speed)) / one_plus;
    }
    // Divisors that are zero only where the quotient is not used.
    static T safe(const T& x) { return select(x, x, T(1.0 + 0.0 * x)); }
  };
};

}  // namespace stickslip
