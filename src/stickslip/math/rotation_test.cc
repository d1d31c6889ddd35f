#include "stickslip/math/rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace stickslip {
namespace {

Vector3d random_direction(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Vector3d(normal(random), normal(random), normal(random)).normalized();
}

// log(exp(phi)) = phi to round-off of the angle, from the tiniest rotation to just below half a turn.
TEST(Rotation, LogInvertsExpFromTinyToHalfTurn) {
  std::mt19937 random(1);
  for (double angle : {1e-300, 1e-20, 1e-9, 1e-4, 0.999e-3, 1.001e-3, 0.1, 1.0, 3.0, std::numbers::pi - 1e-9}) {
    const Vector3d phi = angle * random_direction(random);
    const Vector3d back = log_quaternion(exp_quaternion(phi));
    EXPECT_LE((back - phi).norm(), 4e-16 * std::max(angle, 1e-300)) << angle;
  }
}

TEST(Rotation, LogOfNegatedQuaternionIsTheSameRotation) {
  const Quaterniond q = exp_quaternion({0.3, -0.2, 0.9});
  const Quaterniond negated(-q.coeffs());
  EXPECT_LE((log_quaternion(q) - log_quaternion(negated)).norm(), 1e-15);
}

// The exponential agrees with the axis-angle closed form of an independent implementation.
TEST(Rotation, ExpEqualsAngleAxis) {
  std::mt19937 random(2);
  for (double angle : {1e-8, 1e-3, 0.5, 2.0, 5.0}) {
    const Vector3d axis = random_direction(random);
    const Matrix3d expected = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    EXPECT_LE((exp_quaternion(angle * axis).toRotationMatrix() - expected).norm(), 1e-15);
  }
}

// phi' = J^-1 w by definition: compare with the difference quotient of log(exp(phi) exp(w t)).
TEST(Rotation, RightJacobianInverseIsTheDerivativeOfLog) {
  std::mt19937 random(3);
  for (double angle : {1e-6, 5e-3, 0.5, 2.5}) {
    const Vector3d phi = angle * random_direction(random);
    const Vector3d w = random_direction(random);
    const double t = 1e-5;
    const Vector3d plus = log_quaternion(exp_quaternion(phi) * exp_quaternion(t * w));
    const Vector3d minus = log_quaternion(exp_quaternion(phi) * exp_quaternion(-t * w));
    // Central difference: t^2 of truncation and round-off/t, both about 1e-10.
    EXPECT_LE(((plus - minus) / (2 * t) - right_jacobian_inverse(phi) * w).norm(), 1e-9) << angle;
  }
}

TEST(Rotation, FromZIsARotationThatTakesZToTheAxis) {
  std::mt19937 random(4);
  std::vector<Vector3d> axes;
  for (int i = 0; i < 3; ++i) axes.insert(axes.end(), {Vector3d::Unit(i), -Vector3d::Unit(i)});
  for (int i = 0; i < 100; ++i) axes.push_back(random_direction(random));
  for (const Vector3d& axis : axes) {
    const Matrix3d R = rotation_from_z(axis);
    EXPECT_LE((R.transpose() * R - Matrix3d::Identity()).norm(), 1e-15);
    EXPECT_NEAR(R.determinant(), 1, 1e-15);
    EXPECT_LE((R.col(2) - axis).norm(), 1e-16);
  }
}

}  // namespace
}  // namespace stickslip
