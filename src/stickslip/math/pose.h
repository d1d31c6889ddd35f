#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

// X_AB: where frame B stands in frame A. p_A = rotation * p_B + position.
struct Pose {
  Matrix3d rotation = Matrix3d::Identity();
  Vector3d position = Vector3d::Zero();

  static Pose at(const Vector3d& position) { return {.position = position}; }
  static Pose from_quaternion(const Quaterniond& q, const Vector3d& position = Vector3d::Zero()) {
    return {.rotation = q.normalized().toRotationMatrix(), .position = position};
  }

  Pose inverse() const { return {rotation.transpose(), -(rotation.transpose() * position)}; }
  Quaterniond quaternion() const { return Quaterniond(rotation); }
  Eigen::Matrix4d matrix() const {
    Eigen::Matrix4d X = Eigen::Matrix4d::Identity();
    X.topLeftCorner<3, 3>() = rotation;
    X.topRightCorner<3, 1>() = position;
    return X;
  }
};

inline Pose operator*(const Pose& X_AB, const Pose& X_BC) {
  return {X_AB.rotation * X_BC.rotation, X_AB.rotation * X_BC.position + X_AB.position};
}
inline Vector3d operator*(const Pose& X_AB, const Vector3d& p_B) { return X_AB.rotation * p_B + X_AB.position; }

}  // namespace stickslip
