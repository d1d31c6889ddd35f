#include "stickslip/geometry/hull_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "stickslip/geometry/hull_testing.h"
#include "stickslip/geometry/manifold.h"

namespace stickslip {
namespace {

constexpr double kRoundOff = 1e-12;

HullWeights find(const Hull& hull, const Vector3d& direction) {
  HullSupport support;
  find_hull_support(hull, direction, HullSupport::kMaxFaces, support);
  HullWeights weights;
  find_hull_weights(hull, support, direction, 1, weights);
  return weights;
}

Hull prism(int sides) {
  std::vector<Vector3d> points;
  for (int i = 0; i < 2 * sides; ++i) {
    const double angle = M_PI / sides * (i - i % 2);
    points.emplace_back(0.5 * std::cos(angle), 0.5 * std::sin(angle), i % 2 ? 0.5 : -0.5);
  }
  return make_hull(points);
}

TEST(HullWeights, OfABoxAtRestAreItsCorners) {
  const HullWeights weights = find(make_hull(box_corners({1, 1, 1})), -Vector3d::UnitZ());
  ASSERT_EQ(weights.corners.count, 4);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(weights.corners.weight[i], 0.25, kRoundOff);
  EXPECT_EQ(weights.point_weight + weights.missing_weight, 0);
}

TEST(HullWeights, SumToOne) {
  std::mt19937_64 random(1);
  const Hull hull = prism(60);
  for (int trial = 0; trial < 200; ++trial) {
    const HullWeights weights = find(hull, random_direction(random));
    EXPECT_NEAR(weights.corners.sum + weights.point_weight + weights.missing_weight, 1, kRoundOff);
  }
}

// None of a hundred corners has the weight that stands for the deepest.
TEST(HullWeights, CompleteFacesOfManyCorners) {
  const HullWeights weights = find(prism(100), Vector3d(1e-3, 0, -1).normalized());
  EXPECT_GT(weights.missing_weight, 0.1 * kMissingWeight);
  EXPECT_LT(weights.missing_weight, kMissingWeight);
  const auto first = weights.farthest.weight.begin();
  EXPECT_EQ(*first, *std::max_element(first, first + weights.farthest.count));
}

}  // namespace
}  // namespace stickslip
