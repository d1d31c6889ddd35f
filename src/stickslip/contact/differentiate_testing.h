#pragma once

#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>

#include "stickslip/contact/contact_vector.h"

// Derivatives of a law by automatic differentiation: what the laws' own formulas are tested against.
namespace Eigen {

using Dual = AutoDiffScalar<Vector3d>;

inline Dual constant(double x) { return {x, Vector3d::Zero()}; }
inline Dual positive_part(const Dual& x) { return x.value() > 0 ? x : constant(0); }
inline Dual step_function(const Dual& x) { return constant(x.value() > 0 ? 1 : 0); }
inline Dual square_root(const Dual& x) { return x.value() > 0 ? Dual(sqrt(x)) : constant(0); }
inline bool any_positive(const Dual& x) { return x.value() > 0; }
inline Dual select(const Dual& condition, const Dual& x, const Dual& y) { return condition.value() > 0 ? x : y; }

}  // namespace Eigen

namespace stickslip::contact_testing {

using Eigen::Dual;

// v with the three unit derivatives.
inline ContactVector<Dual> variables(const ContactVector<double>& v) {
  return {Dual(v.x, 3, 0), Dual(v.y, 3, 1), Dual(v.n, 3, 2)};
}

inline Eigen::Vector3d to_vector(const ContactVector<double>& v) { return {v.x, v.y, v.n}; }

inline Eigen::Matrix3d to_matrix(const ContactMatrix<double>& H) {
  return Eigen::Matrix3d{{H.xx, H.xy, H.xn}, {H.xy, H.yy, H.yn}, {H.xn, H.yn, H.nn}};
}

}  // namespace stickslip::contact_testing
