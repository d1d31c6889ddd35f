#include "stickslip/geometry/point_ellipsoid.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/model/forest_testing.h"

namespace stickslip {
namespace {

using forest_testing::Random;

Vector3d surface_point(const Vector3d& radii, const Vector3d& normal) {
  const Vector3d scaled = radii.cwiseProduct(normal);
  return radii.cwiseProduct(scaled) / scaled.norm();
}

// Points at a distance d along the normal of a place, outside and inside up to most of the smallest radius of curvature
// b^2 / a, are nearest to that place. Round-off is that of the place's coordinates, turned into angles by the
// curvature.
TEST(PointEllipsoid, FindsThePlaceAPointWasMadeFrom) {
  int inside = 0, outside = 0;
  for (unsigned seed = 0; seed < 5000; ++seed) {
    Random random(seed);
    const double size = std::pow(10, random.uniform(-5, 4));
    const Vector3d radii = size * Vector3d(random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1));
    const Vector3d normal = random.vector().normalized();
    const double least = radii.minCoeff() * radii.minCoeff() / radii.maxCoeff();
    const double d = seed % 2 == 0 ? -random.uniform(0, 0.8) * least : random.uniform(0, 10) * size;
    const auto found = nearest_normal(radii, surface_point(radii, normal) + d * normal);
    if (!found) continue;
    ++(d < 0 ? inside : outside);
    EXPECT_LT((*found - normal).norm(), 1e-12) << seed;
  }
  EXPECT_EQ(outside, 2500);
  EXPECT_GT(inside, 2450);  // the others are too near the middle
}

// In the middle several places are nearest, or as good as that: no answer. Nor for what is no number.
TEST(PointEllipsoid, LeavesTheMiddleToOthers) {
  EXPECT_FALSE(nearest_normal({3, 2, 1}, {0, 0, 0}));
  EXPECT_FALSE(nearest_normal({3, 2, 1}, {0.5, 0, 0}));
  EXPECT_FALSE(nearest_normal({3, 2, 1}, {0.5, 0.2, 1e-9}));
  EXPECT_FALSE(nearest_normal({3, 2, 1}, {std::nan(""), 0, 0}));
  const auto found = nearest_normal({3, 2, 1}, {0.5, 0.2, 0.5});
  ASSERT_TRUE(found);
  EXPECT_GT(found->z(), 0.9);
}

// Whatever the point: no place of a fine net of the surface is nearer. The net's own place is at most half a mesh off.
TEST(PointEllipsoid, IsTheNearestOfAll) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const Vector3d radii(random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1));
    const Vector3d point = random.vector();
    const auto found = nearest_normal(radii, point);
    if (!found) continue;
    const double distance = (surface_point(radii, *found) - point).norm();
    for (int i = 0; i < 60; ++i) {
      for (int j = 0; j < 120; ++j) {
        const double polar = M_PI * (i + 0.5) / 60, turn = 2 * M_PI * j / 120;
        const Vector3d place = radii.cwiseProduct(
            Vector3d(std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn), std::cos(polar)));
        ASSERT_GE((place - point).norm(), distance - 1e-12) << seed;
      }
    }
  }
}

}  // namespace
}  // namespace stickslip
