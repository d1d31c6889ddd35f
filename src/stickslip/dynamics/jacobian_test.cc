#include "stickslip/dynamics/jacobian.h"

#include <gtest/gtest.h>

#include "stickslip/dynamics/forest_state_testing.h"

namespace stickslip {
namespace {

using forest_testing::ForestState;
using forest_testing::Random;

constexpr double kStep = 1e-5;       // of central differences
constexpr double kTolerance = 2e-8;  // truncation kStep^2 times third derivatives of order 100; round-off 1e-15/kStep

// A point fixed to a link, in the link's axes, and where it is in a state.
struct PointOnLink {
  int link;
  Vector3d p_L;

  Vector3d in(const ForestState& forest) const {
    const LinkPose& pose = forest.kinematics.pose[static_cast<size_t>(link)];
    return pose.R * p_L + pose.p;
  }
  Vector3d velocity_in(const ForestState& forest) const {
    const LinkVelocity& velocity = forest.kinematics.velocity[static_cast<size_t>(link)];
    return velocity.v + velocity.w.cross(forest.kinematics.pose[static_cast<size_t>(link)].R * p_L);
  }
};

// Column i is the velocity of the point, and the turning of the link, as q moves along the i-th unit tangent.
TEST(Jacobian, ColumnsAreDerivativesOfPosesAlongIntegrate) {
  const ForestState forest(1);
  Random random(2);
  for (int link = 0; link < static_cast<int>(forest.model.links.size()); ++link) {
    const PointOnLink point{link, random.vector()};
    Matrix6Xd J;
    point_jacobian(forest.model, forest.kinematics, link, point.in(forest), J);
    ASSERT_EQ(J.cols(), forest.model.nv);
    for (int i = 0; i < forest.model.nv; ++i) {
      const VectorXd dv = kStep * VectorXd::Unit(forest.model.nv, i);
      const ForestState before = forest.displaced(-dv), after = forest.displaced(dv);
      const Vector3d rate = (point.in(after)-point.in(before)) / (2 * kStep);
      EXPECT_LE((J.col(i).head<3>() - rate).norm(), kTolerance) << link << " " << i;
      const auto rotation = [&](const ForestState& at) { return at.kinematics.pose[static_cast<size_t>(link)].R; };
      const Matrix3d R_rate = (rotation(after) - rotation(before)) / (2 * kStep);
      EXPECT_LE((R_rate - skew(J.col(i).tail<3>()) * rotation(forest)).norm(), kTolerance) << link << " " << i;
    }
  }
}

// Without prescribed motion, J v is the velocity of the point.
TEST(Jacobian, TimesVelocityIsThePointsVelocity) {
  const ForestState forest(3, {.prescribed = false});
  Random random(4);
  for (int link = 0; link < static_cast<int>(forest.model.links.size()); ++link) {
    const PointOnLink point{link, random.vector()};
    Matrix6Xd J;
    point_jacobian(forest.model, forest.kinematics, link, point.in(forest), J);
    const Vector6d twist = J * forest.state.v;
    // Sums of a dozen terms of order 1.
    EXPECT_LE((twist.head<3>() - point.velocity_in(forest)).norm(), 1e-13);
    EXPECT_LE((twist.tail<3>() - forest.kinematics.velocity[static_cast<size_t>(link)].w).norm(), 1e-13);
  }
}

// The sparse columns are the dense matrix, each degree of freedom once.
TEST(Jacobian, SparseColumnsEqualTheDenseMatrix) {
  const ForestState forest(5);
  std::vector<JacobianColumn> columns;
  for (int link = 0; link < static_cast<int>(forest.model.links.size()); ++link) {
    const Vector3d p_W(0.3, -0.2, 0.9);
    Matrix6Xd J;
    point_jacobian(forest.model, forest.kinematics, link, p_W, J);
    jacobian_columns(forest.model, forest.kinematics, link, p_W, columns);
    for (const JacobianColumn& column : columns) {
      EXPECT_EQ(Vector3d(J.col(column.v).head<3>()), column.linear);
      EXPECT_EQ(Vector3d(J.col(column.v).tail<3>()), column.angular);
      J.col(column.v).setZero();
    }
    EXPECT_TRUE(J.isZero(0)) << link;
  }
}

// The bias acceleration is the rate of the point's velocity along constant v, with prescribed motion running.
TEST(Jacobian, BiasAccelerationIsTheRateOfVelocityAtConstantV) {
  for (unsigned seed : {6u, 7u}) {
    const ForestState forest(seed);
    const ForestState before = forest.moved(-kStep), after = forest.moved(kStep);
    Random random(seed);
    for (int link = 0; link < static_cast<int>(forest.model.links.size()); ++link) {
      const PointOnLink point{link, random.vector()};
      const LinkAcceleration bias =
          point_bias_acceleration(forest.model, forest.state, forest.kinematics, link, point.in(forest));
      const Vector3d a = (point.velocity_in(after) - point.velocity_in(before)) / (2 * kStep);
      const auto w = [&](const ForestState& at) { return at.kinematics.velocity[static_cast<size_t>(link)].w; };
      // One more derivative than kTolerance: third derivatives of velocities reach 1000.
      EXPECT_LE((bias.a - a).norm(), 10 * kTolerance) << link;
      EXPECT_LE((bias.alpha - (w(after) - w(before)) / (2 * kStep)).norm(), 10 * kTolerance) << link;
    }
  }
}

}  // namespace
}  // namespace stickslip
