#pragma once

#include <algorithm>
#include <cmath>

#include "stickslip/contact/scalar.h"

// What two surfaces do along their normal over one step, as a function of the normal velocity v at its end.
//
//   phi0  signed distance at the start of the step, negative where they overlap [m]
//   h     step [s]
//   k     stiffness [N/m]
//   d     Hunt & Crossley dissipation [s/m]
//   tau   relaxation time [s]
namespace stickslip {

// All laws have the impulse
//
//   gamma(v) = x (p + q x) sqrt(s + t x),   x = (v_hat - v)+
//
// with v_hat the velocity at which contact breaks; those that are linear in the overlap have s = 1, t = 0. Written from
// there, nothing cancels: not the potential, which is zero where there is no contact, and not the impulse of a nearly
// open one. p, q, s, t >= 0: it falls with v, so its potential is convex.
template <typename T>
struct NormalLaw {
  T v_hat{}, p{}, q{};  // [m/s], [kg], [kg s/m]
  T s{1}, t{};          // 1 and 0, or for Hertz: [m], [s]

  void scale_stiffness(double factor) {
    p *= factor;
    q *= factor;
  }

  void scale_potential(double factor) { scale_stiffness(factor); }

  bool is_silent(const T& v) const { return v_hat <= v; }  // neither impulse nor stiffness, nor for any larger v

  T potential(const T& v) const {
    const T x = positive_part(T(v_hat - v));
    if (any_positive(t)) return curved_potential(x);
    return x * x * (0.5 * p + (1.0 / 3) * q * x);
  }
  T impulse(const T& v) const {
    const T x = positive_part(T(v_hat - v));
    const T linear = x * (p + q * x);
    return any_positive(t) ? T(linear * square_root(T(s + t * x))) : linear;
  }
  // -d gamma/d v, never negative. At v = v_hat the one-sided derivative of the open side: zero.
  T stiffness(const T& v) const {
    const T x = T(v_hat - v);
    const T touches = step_function(x), linear = touches * (p + 2.0 * q * x);
    if (!any_positive(t)) return linear;
    const T root = square_root(positive_part(T(s + t * x)));
    return linear * root + touches * (0.5 * t * x * (p + q * x) / (root + kTiny));
  }

 private:
  static constexpr double kTiny = 1e-150;  // keeps quotients finite where x = 0 and s = 0, and they count for nothing

  // The integral over x, as a polynomial in the growth g of the root, sqrt(s + t x) = r + g: all its terms are
  // positive.
  T curved_potential(const T& x) const {
    const T r = square_root(s), g = t * x / (square_root(T(s + t * x)) + r + kTiny);
    const T gg = g * g;
    const T first = gg * (r * r * r + g * ((5.0 / 3) * r * r + g * (r + 0.2 * g)));
    const T second =
        gg * g * ((4.0 / 3) * r * r * r * r + g * (3.0 * r * r * r + g * (2.6 * r * r + g * (r + g / 7.0))));
    return 2.0 * (p * first + q / t * second) / (t * t);
  }
};

// Linear elastic with Hunt & Crossley dissipation: gamma = h k (-phi0 - h v)+ (1 - d v)+,   ICF (22)
// which breaks at v_hat = min(-phi0/h, 1/d),                                               ICF (23)
// d = 0 means that the second bound is infinite. phi0 > 0: a candidate that acts only if it closes within the step.
inline NormalLaw<double> hunt_crossley_law(double phi0, double h, double k, double d) {
  const double closing = -phi0 / h;
  if (d * closing <= 1) return {closing, h * h * k * (1 - d * closing), h * h * k * d};
  const double spare = -phi0 - h / d;  // overlap that is left when dissipation has taken all force
  return {1 / d, h * k * spare * d, h * h * k * d};
}

// Linear elastic with the damping k tau: gamma = h k (-phi0 - (h + tau) v)+, the normal part of SAP. Surfaces that
// approach each other feel it at the distance tau |v|.
inline NormalLaw<double> relaxation_law(double phi0, double h, double k, double tau) {
  return {-phi0 / (h + tau), h * k * (h + tau), 0};
}

// The force at the start of the step, which lagged friction takes for the step's own: k (-phi0)+ (1 - d v)+.   ICF (22)
inline double hunt_crossley_force(double phi0, double v, double k, double d) {
  return k * positive_part(-phi0) * positive_part(1 - d * v);
}
inline double relaxation_force(double phi0, double v, double k, double tau) {
  return phi0 < 0 ? k * positive_part(-phi0 - tau * v) : 0;
}

// Two elastic bodies with curved surfaces (Hertz) with Hunt & Crossley dissipation:
//
//   gamma(v) = h K (delta)+^(3/2) (1 - d v)+,   delta = -phi0 - h v,   K [N/m^1.5]
//
// For spheres K = 4/3 E* sqrt(R). The linear law times the root of delta, of which `s` is left where dissipation has
// taken all force. Satisfies ICF (8).
inline NormalLaw<double> hertz_law(double phi0, double h, double K, double d) {
  NormalLaw<double> law = hunt_crossley_law(phi0, h, K, d);
  law.s = d * (-phi0 / h) <= 1 ? 0 : -phi0 - h / d;
  law.t = h;
  return law;
}

inline double hertz_force(double phi0, double v, double K, double d) {
  const double delta = positive_part(-phi0);
  return K * delta * square_root(delta) * positive_part(1 - d * v);
}

}  // namespace stickslip
