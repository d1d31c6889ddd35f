#include "stickslip/math/rotation.h"

#include <cmath>

namespace stickslip {
namespace {

// Below this angle the series of sin(x/2)/x and of its relatives are exact to round-off with the terms kept.
constexpr double kSmallAngle = 1e-3;

}  // namespace

Quaterniond exp_quaternion(const Vector3d& phi) {
  const double angle = phi.norm();
  const double half = 0.5 * angle;
  // sin(angle/2)/angle, by its series near 0: the next term is angle^6/645120, below 1e-23.
  const double a2 = angle * angle;
  const double scale = angle > kSmallAngle ? std::sin(half) / angle : 0.5 - a2 / 48 + a2 * a2 / 3840;
  return {std::cos(half), scale * phi.x(), scale * phi.y(), scale * phi.z()};
}

Vector3d log_quaternion(const Quaterniond& q) {
  const double n = q.vec().norm();
  const double w = std::abs(q.w());
  const double sign = q.w() < 0 ? -1 : 1;  // q and -q are one rotation: take the one of at most half a turn
  // atan2 is accurate at both ends, where acos(w) (near 0) and asin(n) (near pi) are not.
  const double n2 = n * n;
  const double scale = n > kSmallAngle ? 2 * std::atan2(n, w) / n : 2 / w * (1 - n2 / (3 * w * w) + n2 * n2 / 5);
  return sign * scale * q.vec();
}

Matrix3d right_jacobian_inverse(const Vector3d& phi) {
  const double angle = phi.norm();
  const double a2 = angle * angle;
  // (1 - (angle/2) cot(angle/2)) / angle^2
  const double c =
      angle > 1e-2 ? (1 - 0.5 * angle / std::tan(0.5 * angle)) / a2 : 1.0 / 12 + a2 / 720 + a2 * a2 / 30240;
  const Matrix3d S = skew(phi);
  return Matrix3d::Identity() + 0.5 * S + c * (S * S);
}

Matrix3d rotation_from_z(const Vector3d& axis) {
  // Cyclic permutations keep axes-aligned joints exact and make the other columns predictable.
  if (axis == Vector3d::UnitZ()) return Matrix3d::Identity();
  if (axis == Vector3d::UnitX()) return Matrix3d{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  if (axis == Vector3d::UnitY()) return Matrix3d{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  if (axis == -Vector3d::UnitZ()) return Matrix3d{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  if (axis == -Vector3d::UnitX()) return Matrix3d{{0, 0, -1}, {1, 0, 0}, {0, -1, 0}};
  if (axis == -Vector3d::UnitY()) return Matrix3d{{0, 1, 0}, {0, 0, -1}, {-1, 0, 0}};
  // Gram-Schmidt with the coordinate axis furthest from `axis`.
  Matrix3d R;
  int least = 0;
  axis.cwiseAbs().minCoeff(&least);
  R.col(2) = axis;
  R.col(0) = Vector3d::Unit(least).cross(axis).normalized();
  R.col(1) = R.col(2).cross(R.col(0));
  return R;
}

}  // namespace stickslip
