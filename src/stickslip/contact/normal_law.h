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

// Every law that is linear in the overlap has the impulse
//
//   gamma(v) = x (p + q x),   x = (v_hat - v)+
//
// with v_hat the velocity at which contact breaks. Written from there, nothing cancels: not the potential, which is
// zero where there is no contact, and not the impulse of a nearly open one. p, q >= 0: it falls with v, so its
// potential is convex.
template <typename T>
struct NormalLaw {
  T v_hat{}, p{}, q{};  // [m/s], [kg], [kg s/m]

  void scale_stiffness(double factor) {
    p *= factor;
    q *= factor;
  }

  void scale_potential(double factor) { scale_stiffness(factor); }

  T potential(const T& v) const {
    const T x = positive_part(T(v_hat - v));
    return x * x * (0.5 * p + (1.0 / 3) * q * x);
  }
  T impulse(const T& v) const {
    const T x = positive_part(T(v_hat - v));
    return x * (p + q * x);
  }
  // -d gamma/d v, never negative. At v = v_hat the one-sided derivative of the open side: zero.
  T stiffness(const T& v) const {
    const T x = T(v_hat - v);
    return step_function(x) * (p + 2.0 * q * x);
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
// For spheres K = 4/3 E* sqrt(R). Satisfies ICF (8).
template <typename T>
struct HertzLaw {
  T phi0{}, h{}, K{}, d{};

  // With b = (1 - d v) = b0 + (d/h) delta the potential is the integral over delta of K delta^1.5 b.
  T potential(const T& v) const {
    if (!(touches(v) > 0)) return T(0);
    const T delta = T(-phi0 - h * v);
    const T start = d > 0 ? positive_part(T(-phi0 - h / d)) : T(0);  // where b = 0, if that is not before delta = 0
    const T b0 = T(1 + d * phi0 / h), b1 = T(d / h);
    const auto antiderivative = [&](const T& x) {
      const T root = square_root(x);
      return root * x * x * (0.4 * b0 + (2.0 / 7) * b1 * x);
    };
    return K * (antiderivative(delta) - antiderivative(start));
  }
  T impulse(const T& v) const {
    const T delta = positive_part(T(-phi0 - h * v));
    return h * K * delta * square_root(delta) * positive_part(T(1.0 - d * v));
  }
  T stiffness(const T& v) const {
    const T delta = positive_part(T(-phi0 - h * v));
    const T b = positive_part(T(1.0 - d * v));
    const T root = square_root(delta);
    return h * K * root * (1.5 * h * b + d * delta * step_function(b));
  }

 private:
  T touches(const T& v) const { return step_function(T(-phi0 - h * v)) * step_function(T(1.0 - d * v)); }
};

}  // namespace stickslip
