#include "stickslip/geometry/reduce_points.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

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

// A ninth point that has just come goes into its neighbour; the others stay as they are, however close two of them are.
TEST(ReducePoints, APointWithoutWeightChangesNoOther) {
  Manifold manifold = polygon(8, 0.1, 0.01);
  std::array<ManifoldPoint, 9> points{};
  std::copy_n(manifold.points.begin(), 8, points.begin());
  points[4].point_a = points[3].point_a + Vector3d(1e-3, 0, 0);
  points[8] = {{-0.5, -0.5, 0}, -0.1, 1e-12, 8};
  const std::array<ManifoldPoint, 9> before = points;
  ASSERT_EQ(reduce_points(points.data(), 9, 8), 8);
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR((points[i].point_a - before[i].point_a).norm(), 0, 1e-10);
    EXPECT_NEAR(points[i].weight, before[i].weight, 1e-11);
  }
}

// Longer than one block.
TEST(ReducePoints, OfAThousandKeepsForceMomentAndTheDeepest) {
  constexpr int kCount = 1000;
  std::vector<ManifoldPoint> points(kCount);
  double force = 0;
  Vector3d moment = Vector3d::Zero();
  for (int i = 0; i < kCount; ++i) {
    const double angle = 2 * M_PI * i / kCount;
    points[i] = {{std::cos(angle), std::sin(angle), 0}, -0.1 - 0.2 * std::cos(angle + 1), 1.0 / kCount, 1u + i};
    force += points[i].weight * std::max(0.0, -points[i].distance);
    moment += points[i].weight * std::max(0.0, -points[i].distance) * points[i].point_a;
  }
  const double deepest = deepest_point(points).distance;
  ASSERT_EQ(reduce_points(points.data(), kCount, kMaxManifoldPoints), kMaxManifoldPoints);
  double weight = 0;
  for (int i = 0; i < kMaxManifoldPoints; ++i) {
    weight += points[i].weight;
    force -= points[i].weight * std::max(0.0, -points[i].distance);
    moment -= points[i].weight * std::max(0.0, -points[i].distance) * points[i].point_a;
  }
  EXPECT_NEAR(weight, 1, 1e-12);
  EXPECT_NEAR(force, 0, 1e-14);
  EXPECT_NEAR(moment.norm(), 0, 1e-14);
  EXPECT_EQ(deepest_point(std::span(points.data(), kMaxManifoldPoints)).distance, deepest);
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

// Motion that grows beyond all numbers is found out later; until then no more points may be left than there is room
// for, and the search for them must end.
TEST(ReducePoints, AsManyAsFitAreLeftWhereDistancesHaveNoSquares) {
  for (const int count : {9, 33, 200}) {
    for (const double huge : {1e200, std::numeric_limits<double>::quiet_NaN()}) {
      std::vector<ManifoldPoint> points;
      for (int i = 0; i < count; ++i)
        points.push_back({{i * huge, -i * huge, 0}, i == 5 ? -1.0 : -0.5, 1.0 / count, static_cast<std::uint32_t>(i)});
      const int left = reduce_points(points.data(), count, kMaxManifoldPoints);
      ASSERT_EQ(left, kMaxManifoldPoints);
      double sum = 0;
      for (int i = 0; i < left; ++i) sum += points[i].weight;
      EXPECT_NEAR(sum, 1, 1e-12);
    }
  }
}

}  // namespace
}  // namespace stickslip
