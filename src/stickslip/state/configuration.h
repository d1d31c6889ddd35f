#pragma once

#include "stickslip/model/model.h"

// The configuration manifold: q is not a vector space where there are rotations. Tangent vectors have the layout of v.
namespace stickslip {

// q (+) dv: moves along dv for unit time. Ball and free joints turn by the exponential of dv's (body-axes) rotation
// vector. `out` may be `q`.
void integrate(const Model& model, const VectorXd& q, const VectorXd& dv, VectorXd& out);

// q1 (-) q0: the dv with q0 (+) dv = q1, rotations by the shorter way.
void difference(const Model& model, const VectorXd& q1, const VectorXd& q0, VectorXd& dv);

// With q(t) = q0 (+) u(t) and velocity v: u' = tangent_map_inverse(u) v. Used by Runge-Kutta methods on the manifold.
void tangent_rate(const Model& model, const VectorXd& u, const VectorXd& v, VectorXd& rate);

// Makes quaternions unit again; a quaternion of length 0 or not finite becomes the identity.
void normalize_configuration(const Model& model, VectorXd& q);

}  // namespace stickslip
