#include "stickslip/state/configuration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "stickslip/model/forest_testing.h"

namespace stickslip {
namespace {

using forest_testing::forest;
using forest_testing::Random;
using forest_testing::random_configuration;

// A tangent vector whose rotations all have this angle.
VectorXd tangent_with_angle(const Model& model, double angle, Random& random) {
  VectorXd dv = random.vector_of(model.nv);
  for (const Link& link : model.links) {
    if (link.kind == LinkKind::kBall) dv.segment<3>(link.v_start) = angle * random.direction();
    if (link.kind == LinkKind::kFree) dv.segment<3>(link.v_start + 3) = angle * random.direction();
  }
  return dv;
}

// (q (+) dv) (-) q = dv for every joint type, from no rotation to just below half a turn.
TEST(Configuration, DifferenceInvertsIntegrate) {
  const Model model = compile(forest(1));
  Random random(2);
  for (double angle : {0.0, 1e-300, 1e-12, 1e-6, 0.01, 1.0, 3.0, std::numbers::pi - 1e-7}) {
    const VectorXd q = random_configuration(model, random);
    const VectorXd dv = tangent_with_angle(model, angle, random);
    VectorXd moved, back;
    integrate(model, q, dv, moved);
    difference(model, moved, q, back);
    // Quaternions of q and of q (+) dv carry 1e-16 each, doubled in the angle.
    EXPECT_LE((back - dv).cwiseAbs().maxCoeff(), 2e-15) << angle;
  }
}

// q0 (+) (q1 (-) q0) = q1 as rotations: the quaternion may have the other sign.
TEST(Configuration, IntegrateInvertsDifference) {
  const Model model = compile(forest(3));
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    const VectorXd q0 = random_configuration(model, random), q1 = random_configuration(model, random);
    VectorXd dv, back, rest;
    difference(model, q1, q0, dv);
    integrate(model, q0, dv, back);
    difference(model, back, q1, rest);
    EXPECT_LE(rest.cwiseAbs().maxCoeff(), 4e-15);  // round-off of two quaternion products, doubled in the angle
  }
}

// Rotations take the shorter way, and the sign of a quaternion does not matter.
TEST(Configuration, DifferenceTakesTheShorterWay) {
  const Model model = compile(forest(5));
  Random random(6);
  const VectorXd q0 = random_configuration(model, random);
  VectorXd negated = q0, dv;
  for (const Link& link : model.links) {
    if (link.kind == LinkKind::kBall) negated.segment<4>(link.q_start) *= -1;
    if (link.kind == LinkKind::kFree) negated.segment<4>(link.q_start + 3) *= -1;
  }
  difference(model, negated, q0, dv);
  EXPECT_LE(dv.cwiseAbs().maxCoeff(), 4e-16);
  VectorXd turned;
  integrate(model, q0, tangent_with_angle(model, 4.0, random), turned);  // 4 rad one way is 2 pi - 4 the other
  difference(model, turned, q0, dv);
  for (const Link& link : model.links) {
    if (link.kind == LinkKind::kBall) {
      EXPECT_NEAR(dv.segment<3>(link.v_start).norm(), 2 * std::numbers::pi - 4, 4e-15);
    }
  }
}

// A free joint's rotation vector is in body axes: q (+) dv = R exp(dv); its translation is not turned.
TEST(Configuration, FreeJointTurnsInBodyAxesAndMovesInParentAxes) {
  Scene scene;
  Random random(7);
  forest_testing::add_body(scene, random, "ball");
  const Model model = compile(scene);
  const VectorXd q = random_configuration(model, random), dv = random.vector_of(6);
  VectorXd out;
  integrate(model, q, dv, out);
  EXPECT_LE((out.head<3>() - q.head<3>() - dv.head<3>()).norm(), 4e-16);
  const Matrix3d R0 = Quaterniond(q[3], q[4], q[5], q[6]).toRotationMatrix();
  const Matrix3d R1 = Quaterniond(out[3], out[4], out[5], out[6]).toRotationMatrix();
  const Matrix3d turn = Eigen::AngleAxisd(dv.tail<3>().norm(), dv.tail<3>().normalized()).toRotationMatrix();
  EXPECT_LE((R1 - R0 * turn).norm(), 2e-15);  // products of 3 x 3 matrices
}

// The output may be the input.
TEST(Configuration, IntegrateInPlace) {
  const Model model = compile(forest(8));
  Random random(9);
  VectorXd q = random_configuration(model, random), out;
  const VectorXd dv = random.vector_of(model.nv);
  integrate(model, q, dv, out);
  integrate(model, q, dv, q);
  EXPECT_EQ(q, out);
}

// Along q(t) = q0 (+) u(t) with velocity v(t) constant, u' is tangent_rate(u, v): against a central difference of u.
TEST(Configuration, TangentRateIsTheDerivativeOfTheTangent) {
  const Model model = compile(forest(10));
  Random random(11);
  constexpr double kStep = 1e-5;
  for (double angle : {1e-9, 1e-3, 0.7, 2.0, 3.0}) {
    const VectorXd q0 = random_configuration(model, random), v = random.vector_of(model.nv);
    const VectorXd u = tangent_with_angle(model, angle, random);
    VectorXd q, before, after, u_before, u_after, rate;
    integrate(model, q0, u, q);
    integrate(model, q, -kStep * v, before);
    integrate(model, q, kStep * v, after);
    difference(model, before, q0, u_before);
    difference(model, after, q0, u_after);
    tangent_rate(model, u, v, rate);
    // Truncation kStep^2 times third derivatives, which grow like 1/(2 pi - angle)^3, and round-off 1e-15/kStep.
    EXPECT_LE(((u_after - u_before) / (2 * kStep) - rate).cwiseAbs().maxCoeff(), 2e-9) << angle;
  }
}

// Quaternions are made unit, other coordinates stay; what is no rotation becomes the identity.
TEST(Configuration, NormalizeTouchesOnlyQuaternions) {
  const Model model = compile(forest(12));
  Random random(13);
  const VectorXd q = random_configuration(model, random);
  VectorXd scaled = q;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Link& link : model.links) {
    if (link.kind == LinkKind::kBall) scaled.segment<4>(link.q_start) *= 3;
    if (link.kind == LinkKind::kFree) scaled.segment<4>(link.q_start + 3) *= 1e-3;
  }
  normalize_configuration(model, scaled);
  EXPECT_LE((scaled - q).cwiseAbs().maxCoeff(), 4e-16);
  for (double bad : {0.0, nan, kInfinity}) {
    VectorXd broken = q;
    const Link& ball = *std::find_if(model.links.begin(), model.links.end(),
                                     [](const Link& link) { return link.kind == LinkKind::kBall; });
    broken.segment<4>(ball.q_start).setConstant(bad);
    normalize_configuration(model, broken);
    EXPECT_EQ(Eigen::Vector4d(broken.segment<4>(ball.q_start)), Eigen::Vector4d(1, 0, 0, 0));
  }
}

}  // namespace
}  // namespace stickslip
