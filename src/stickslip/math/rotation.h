#pragma once

#include "stickslip/math/types.h"

// Rotations as elements of SO(3): exponential, logarithm and the derivative of the exponential, accurate for every
// angle.
namespace stickslip {

// a x b = skew(a) b.
inline Matrix3d skew(const Vector3d& a) {
  Matrix3d S;
  S << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return S;
}

// The unit quaternion of the rotation by |phi| about phi.
Quaterniond exp_quaternion(const Vector3d& phi);

// The rotation vector of a unit quaternion, |phi| <= pi. Exact near the identity and near half turns.
Vector3d log_quaternion(const Quaterniond& q);

// With R(t) = R0 exp(phi(t)) and body angular velocity w: phi' = right_jacobian_inverse(phi) w.
Matrix3d right_jacobian_inverse(const Vector3d& phi);

// A rotation that takes the z axis to the unit vector `axis`; for axis = +-x, +-y, +-z a signed permutation, free of
// round-off.
Matrix3d rotation_from_z(const Vector3d& axis);

}  // namespace stickslip
