#pragma once

#include "stickslip/contact/contact_vector.h"

namespace stickslip {

// Friction with two coefficients, mu_x and mu_y along the contact's tangents: an elliptic cone.   ICF (30)-(32)
//
// With v~ = S v, S = diag(mu_x, mu_y)/mu for mu = max(mu_x, mu_y), it is any isotropic model with mu at the velocity
// v~:
//
//   l(v) = l_iso(S v),  gamma = S gamma_iso(S v),  H = S H_iso(S v) S
//
// A solver that scales the tangents of the contact's frame by S gets it for nothing.
template <typename Model, typename T>
struct Anisotropic {
  Model isotropic;
  T scale_x{1}, scale_y{1};

  ContactVector<T> scaled(const ContactVector<T>& v) const { return {scale_x * v.x, scale_y * v.y, v.n}; }

  T potential(const ContactVector<T>& v) const { return isotropic.potential(scaled(v)); }
  ContactVector<T> impulse(const ContactVector<T>& v) const { return scaled(isotropic.impulse(scaled(v))); }
  ContactMatrix<T> hessian(const ContactVector<T>& v) const {
    const ContactMatrix<T> H = isotropic.hessian(scaled(v));
    return {scale_x * scale_x * H.xx, scale_y * scale_y * H.yy, H.nn,
            scale_x * scale_y * H.xy, scale_x * H.xn,           scale_y * H.yn};
  }
};

}  // namespace stickslip
