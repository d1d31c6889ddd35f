#include "stickslip/geometry/reduce_points.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stickslip {
namespace {

// A regular polygon, deepest at its first corner; the points have weight 1 / count.
Manifold polygon(int count, double depth, double tilt) {
  Manifold manifold;
  manifold.count = count;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * M_PI * i / count;
    manifold.points[i] = {{std::cos(angle), std::sin(angle), 0},
                          -depth - tilt * std::cos(angle),
                          1.0 / count,
                          static_cast<std::uint32_t>(i)};
  }
  return manifold;
}

double weight(const Manifold& manifold) {
  double sum = 0;
  for (int i = 0; i < manifold.count; ++i) sum += manifold.points[i].weight;
  return sum;
}

Vector3d moment(const Manifold& manifold) {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < manifold.count; ++i) {
    const ManifoldPoint& p = manifold.points[i];
    sum += p.weight * std::max(0.0, -p.distance) * p.point_a.cross(manifold.normal);
  }
  return sum;
}

TEST(ReducePoints, ToSixKeepsTheMomentAndTheDeepest) {
  Manifold manifold = polygon(8, 0.1, 0.01);
  const Vector3d before = moment(manifold);
  reduce_points(manifold, 6);
  EXPECT_EQ(manifold.count, 6);
  EXPECT_NEAR(weight(manifold), 1, 1e-15);
  EXPECT_NEAR((moment(manifold) - before).norm(), 0, 1e-15);
  EXPECT_EQ(deepest_point(manifold).distance, -0.1 - 0.01);
}

// Four of an octagon: a square, which no other four of its corners exceed.
TEST(ReducePoints, ToFourSpansAsMuchAsFourCan) {
  Manifold manifold = polygon(8, 0.1, 0.01);
  reduce_points(manifold, 4);
  ASSERT_EQ(manifold.count, 4);
  EXPECT_NEAR(weight(manifold), 1, 1e-15);
  EXPECT_EQ(deepest_point(manifold).feature, 0u);
  double farthest[2] = {0, 0};
  for (int i = 0; i < 4; ++i)
    for (int axis = 0; axis < 2; ++axis) farthest[axis] = std::max(farthest[axis], manifold.points[i].point_a[axis]);
  EXPECT_NEAR(farthest[0], 1, 1e-15);
  EXPECT_NEAR(farthest[1], 1, 1e-15);
}

}  // namespace
}  // namespace stickslip
