#pragma once

#include <tuple>

#include "stickslip/contact/contact_vector.h"
#include "stickslip/contact/normal_law.h"

namespace stickslip {

// Friction that remembers: a tangential spring and damper in each contact, which holds at most mu gamma_n0, the cone at
// the normal impulse of the step's start. With a the tangential displacement at the start, k_t and c_t the stiffness
// and damping, and
//
//   w(v_t) = h k_t a + kappa v_t,   kappa = h^2 k_t + h c_t
//
// the impulse is -w where |w| <= r = mu gamma_n0 (it sticks) and -r w/|w| elsewhere (it slips): the gradient of
//
//   l(v) = l_n(v_n) + Huber_r(|w|)/kappa,   Huber_r(x) = x^2/2 for x <= r, else r x - r^2/2.
//
// Convex for any a. A contact at rest with |h k_t a| <= r holds without moving; for k_t -> infinity it is rigid.
template <typename T>
struct AnchoredModel {
  NormalLaw<T> normal;
  T radius{};              // r [N s]
  T kappa{};               // [kg]; 0: frictionless
  T start_x{}, start_y{};  // h k_t a [N s]

  template <typename Self>
  static auto fields(Self& self) {
    return std::tie(self.normal.v_hat, self.normal.p, self.normal.q, self.normal.s, self.normal.t, self.radius,
                    self.kappa, self.start_x, self.start_y);
  }

  void scale_stiffness(double factor) { normal.scale_stiffness(factor); }
  void scale_potential(double factor) {
    normal.scale_stiffness(factor);
    radius *= factor;
    kappa *= factor;
    start_x *= factor;
    start_y *= factor;
  }

  T potential(const ContactVector<T>& v) const {
    const Stretch w = stretch(v);
    const T held = radius / w.limited * w.norm;  // min(|w|, r)
    return normal.potential(v.n) + held * (w.norm - 0.5 * held) / select(kappa, kappa, T(1.0 + 0.0 * kappa));
  }

  ContactVector<T> impulse(const ContactVector<T>& v) const {
    const Stretch w = stretch(v);
    const T c = w.share(radius);
    return {-c * w.x, -c * w.y, normal.impulse(v.n)};
  }

  // `caution`: as in LaggedModel. On the cone's surface the derivative of the inner side.
  ContactMatrix<T> hessian(const ContactVector<T>& v, double caution = 0) const {
    const Stretch w = stretch(v);
    const T c = kappa * w.share(radius);
    const T slips = step_function(T(w.norm - radius));
    const T x = w.x / w.limited, y = w.y / w.limited;  // unit where it slips
    const T less = (1 - caution) * slips * c;
    return {c - less * x * x, c - less * y * y, normal.stiffness(v.n), -less * x * y, T(0.0 * c), T(0.0 * c)};
  }

 private:
  struct Stretch {
    T x, y, norm, limited;  // w, |w| and max(|w|, r, tiny)
    T share(const T& r) const { return select(T(norm - r), T(r / limited), T(1.0 + 0.0 * norm)); }
  };
  Stretch stretch(const ContactVector<T>& v) const {
    constexpr double kTiny = 1e-200;
    Stretch w{T(start_x + kappa * v.x), T(start_y + kappa * v.y), T{}, T{}};
    w.norm = square_root(T(w.x * w.x + w.y * w.y));
    w.limited = select(T(w.norm - radius), w.norm, T(radius + kTiny));
    return w;
  }
};

}  // namespace stickslip
