#include "stickslip/geometry/hull_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "stickslip/geometry/hull_testing.h"

namespace stickslip {
namespace {

double total(const HullSupport& support) {
  double sum = support.point_share;
  for (int i = 0; i < support.count; ++i) sum += support.share[i];
  return sum;
}

// A box with four by four facets on each side, each turned against the next by about `angle`.
Hull bulging_box(std::mt19937_64& random, double angle) {
  std::vector<Vector3d> points;
  for (int i = 0; i < 125; ++i) {
    const Vector3d p(i % 5 / 2.0 - 1, i / 5 % 5 / 2.0 - 1, i / 25 / 2.0 - 1);  // NOLINT(bugprone-integer-division)
    if (p.cwiseAbs().maxCoeff() < 1) continue;
    points.push_back((1 - angle * (p.squaredNorm() / 6 + 0.02 * uniform(random))) * p);
  }
  return make_hull(points);
}

Hull cone(int sides) {
  std::vector<Vector3d> points{{0, 0, -1}};
  for (int i = 0; i < sides; ++i)
    points.emplace_back(std::cos(2 * M_PI * i / sides), std::sin(2 * M_PI * i / sides), 0);
  return make_hull(points);
}

HullSupport find(const Hull& hull, const Vector3d& direction, int max_faces = HullSupport::kMaxFaces) {
  HullSupport support;
  find_hull_support(hull, direction, max_faces, support);
  return support;
}

TEST(HullSupport, OfABoxAtRestIsOneFace) {
  const HullSupport support = find(make_hull(box_corners({1, 2, 3})), -Vector3d::UnitZ());
  ASSERT_EQ(support.count, 1);
  EXPECT_EQ(support.share[0], 1);
  EXPECT_EQ(support.point_share, 0);
  EXPECT_EQ(support.vertex_count, 4);
}

// By no more than the rate that two blended faces have: about 1e3 / rad by their turn, 1e4 by what they miss.
TEST(HullSupport, SharesOfNearlyCoplanarFacesChangeNoFasterThanTheDirection) {
  constexpr double kRate = 2e4, kRoundOff = 1e-9;
  std::mt19937_64 random(1);
  for (const double angle : {1e-9, 1e-7, 1e-5, 1e-4, 1e-3, 1e-2}) {
    const Hull hull = bulging_box(random, angle);
    for (int trial = 0; trial < 200; ++trial) {
      const double lean = std::pow(10, uniform(random, -8, -1));
      const double turn = std::pow(10, uniform(random, -10, -4));
      const Vector3d d = (-Vector3d::UnitZ() + lean * random_direction(random)).normalized();
      const Vector3d e = (d + turn * random_direction(random)).normalized();
      const HullSupport here = find(hull, d), there = find(hull, e);
      EXPECT_NEAR(total(here), 1, 1e-12);
      std::map<int, double> change;
      for (int i = 0; i < here.count; ++i) change[here.face[i]] -= here.share[i];
      for (int i = 0; i < there.count; ++i) change[there.face[i]] += there.share[i];
      for (const auto& [face, by] : change) EXPECT_LE(std::abs(by), kRate * (e - d).norm() + kRoundOff) << angle;
    }
  }
}

// No few of its sides stand for all.
TEST(HullSupport, OfTheTipOfAConeWithTooManySidesIsTheTip) {
  const Hull hull = cone(300);
  const HullSupport all = find(hull, -Vector3d::UnitZ(), 100);
  EXPECT_NEAR(all.point_share, 1, 1e-9);
  EXPECT_NEAR(total(all), 1, 1e-12);
  EXPECT_NEAR((hull.vertices[all.vertex[0]] + Vector3d::UnitZ()).norm(), 0, 1e-12);
  const HullSupport leaning = find(hull, Vector3d(0.5, 0, -1).normalized(), 100);
  EXPECT_EQ(leaning.point_share, 0);
  EXPECT_NEAR(total(leaning), 1, 1e-12);
}

// Also one inside a merged face, which no edge leads to.
TEST(HullSupport, HasEveryVertexThatIsNearlyFarthest) {
  std::mt19937_64 random(2);
  const Hull hull = bulging_box(random, 1e-7);
  const HullSupport support = find(hull, -Vector3d::UnitZ());
  const auto is_low = [](const Vector3d& v) { return v.z() < -0.999; };
  EXPECT_EQ(support.vertex_count, std::count_if(hull.vertices.begin(), hull.vertices.end(), is_low));
}

}  // namespace
}  // namespace stickslip
