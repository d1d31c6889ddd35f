#include <gtest/gtest.h>

#include "stickslip/geometry/convex_core.h"
#include "stickslip/geometry/convex_testing.h"
#include "stickslip/geometry/separation_oracle_testing.h"

// Places where a normal is not unique, a difference is flat, or round-off is all there is.
namespace stickslip {
namespace {

std::vector<Collider> odd_shapes(std::mt19937_64& random, double size) {
  std::vector<Vector3d> disc = points_on_sphere(random, 20, size);
  for (Vector3d& point : disc) point.z() = 0;
  std::vector<Vector3d> wafer = box_corners(size * Vector3d(1, 1, 1e-9));
  return {test_sphere(size),
          test_capsule(0.5 * size, size),
          test_box(size * Vector3d(1, 1, 1)),
          test_box(size * Vector3d(1, 2, 1e-6)),
          test_cylinder(size, size),
          test_cylinder(size, 1e-4 * size),
          test_ellipsoid(size * Vector3d(1, 1, 1)),
          test_ellipsoid(size * Vector3d(1, 0.5, 0.02)),
          test_hull(points_on_sphere(random, 30, size)),
          test_hull(points_on_sphere(random, 300, size)),
          test_hull(disc),
          test_hull(wafer),
          test_hull({Vector3d(-size, 0, 0), Vector3d(size, 0, 0)}),
          test_hull({Vector3d(0, 0, size)})};
}

// Nothing is promised about the direction here, but it must be one, and the distance must be what it leaves room for.
void expect_sound(const Placed& a, const Placed& b, double size) {
  const Separation s = convex_separation(a, b);
  ASSERT_TRUE(std::isfinite(s.distance) && s.normal.allFinite() && s.point_a.allFinite() && s.point_b.allFinite());
  EXPECT_NEAR(s.normal.norm(), 1, 1e-12);
  EXPECT_LE((s.point_a + s.distance * s.normal - s.point_b).norm(), 1e-13 * (size + s.point_a.norm()));
  const ConvexCore core_a = core_of(a), core_b = core_of(b);
  const double bound = room(CorePair(core_a, core_b), a.R.transpose() * s.normal) - core_a.radius - core_b.radius;
  EXPECT_NEAR(s.distance, bound, 1e-8 * size)
      << int(a.shape->kind) << " " << int(b.shape->kind);  // a distance is flat in the normal
}

TEST(ConvexDegenerate, CoincidentAndAlignedShapes) {
  std::mt19937_64 random(1);
  for (const double size : {1e-4, 1.0, 1e3}) {
    const std::vector<Collider> shapes = odd_shapes(random, size);
    for (const Collider& first : shapes) {
      for (const Collider& second : shapes) {
        for (int i = 0; i < 27; ++i) {  // at the same place, and shifted along axes by whole sizes
          const Vector3d shift = size * Vector3d(i % 3, i / 3 % 3, i / 9);
          expect_sound({.shape = &first}, {.shape = &second, .p = shift}, size);
        }
        const Matrix3d R = random_rotation(random);
        expect_sound({&first, R, Vector3d::Zero()}, {&second, R, Vector3d::Zero()}, size);
        expect_sound({&first, R, Vector3d::Zero()}, {&second, random_rotation(random), Vector3d::Zero()}, size);
        const Matrix3d quarter = Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX()).toRotationMatrix();
        expect_sound({.shape = &first}, {&second, quarter, size * Vector3d(0.5, 0, 1)}, size);
      }
    }
  }
}

TEST(ConvexDegenerate, DepthOfCoincidentShapesInClosedForm) {
  const auto depth = [](const Collider& shape) {
    return convex_separation({.shape = &shape}, {.shape = &shape}).distance;
  };
  EXPECT_NEAR(depth(test_sphere(0.1)), -0.2, 1e-15);
  EXPECT_NEAR(depth(test_capsule(0.1, 0.3)), -0.2, 1e-15);
  EXPECT_NEAR(depth(test_box({0.1, 0.2, 0.3})), -0.2, 1e-15);
  EXPECT_NEAR(depth(test_cylinder(0.1, 0.3)), -0.2, 1e-9);
  EXPECT_NEAR(depth(test_cylinder(0.3, 0.1)), -0.2, 1e-15);
  EXPECT_NEAR(depth(test_ellipsoid({0.1, 0.2, 0.3})), -0.2, 1e-9);
  EXPECT_NEAR(depth(test_ellipsoid({0.1, 0.1, 0.1})), -0.2, 1e-9);
  EXPECT_NEAR(depth(test_hull(box_corners({0.1, 0.2, 0.3}))), -0.2, 1e-15);
  EXPECT_NEAR(depth(test_hull({Vector3d(1, 0, 0), Vector3d(-1, 0, 0)})), 0, 1e-15);
  EXPECT_NEAR(depth(test_hull({Vector3d(1, 0, 0)})), 0, 1e-15);
}

TEST(ConvexDegenerate, SphereOnTheAxisOfACapsule) {
  const Collider capsule = test_capsule(0.1, 0.3), sphere = test_sphere(0.05);
  const Separation s = convex_separation({.shape = &capsule}, {.shape = &sphere, .p = Vector3d(0, 0, 0.1)});
  EXPECT_NEAR(s.distance, -0.15, 1e-15);
  EXPECT_NEAR(s.normal.z(), 0, 1e-15);
}

// Below 1e-154 m squares lose digits, below 1e-162 m they are zero; the sixth powers of what GJK and EPA compare are
// long before that.
TEST(ConvexDegenerate, LengthsWhosePowersUnderflow) {
  std::mt19937_64 random(4);
  const std::vector<Collider> others = odd_shapes(random, 1);
  const std::vector<Vector3d> corners = {{1, 2, 0.5}, {-1, 0.3, 1}, {0.2, -1, 0.4}, {0, 0.1, -2}};
  for (const double length : {1e-29, 1e-31, 1e-45, 1e-60, 1e-90, 1e-154, 1e-159, 1e-161, 1e-200, 1e-310}) {
    for (int count = 1; count <= 4; ++count) {
      std::vector<Vector3d> small(corners.begin(), corners.begin() + count);
      for (Vector3d& point : small) point *= length;
      const Collider hull = test_hull(small);
      const Matrix3d R = random_rotation(random);
      for (const Vector3d& shift : {Vector3d(0, 0, 0), Vector3d(length * Vector3d(3, -1, 2))}) {
        expect_sound({.shape = &hull}, {&hull, R, shift}, 1);
        for (const Collider& other : others) {
          expect_sound({.shape = &hull}, {.shape = &other, .p = shift}, 1);
          expect_sound({&hull, R, shift}, {.shape = &other}, 1);
        }
      }
    }
  }
}

TEST(ConvexDegenerate, SizesSevenDecadesApart) {
  std::mt19937_64 random(2);
  const Collider ground = test_box({1e3, 1e3, 1e3});
  const Matrix3d R = random_rotation(random);
  for (const Collider& grain : odd_shapes(random, 1e-4)) {
    for (const double gap : {1e-5, 1e-7, -1e-7, -1e-5}) {
      for (int i = 0; i < 20; ++i) {
        Placed b{&grain, random_rotation(random), Vector3d::Zero()};
        const ConvexCore core = core_of(b);
        const Vector3d lowest = b.R * support(core, b.R.transpose() * -Vector3d::UnitZ()).position;
        const Vector3d at = 900 * Vector3d(uniform(random), uniform(random), 0);
        b.p = R * Vector3d(at.x(), at.y(), 1e3 + core.radius - lowest.z() + gap);
        b.R = R * b.R;
        const Separation s = convex_separation({&ground, R, Vector3d::Zero()}, b);
        EXPECT_NEAR(s.distance, gap, 1e-10);  // 1e-13 of the larger size
        EXPECT_LE((s.normal - R.col(2)).norm(), 1e-7);
      }
    }
  }
}

// Corner on corner, edge along edge, corner on edge: touching in every way two boxes can, with round-off either way.
TEST(ConvexDegenerate, BoxesThatTouchInEveryWay) {
  std::mt19937_64 random(3);
  const Collider box = test_box({1, 1, 1});
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix3d R = trial == 0 ? Matrix3d(Matrix3d::Identity()) : random_rotation(random);
    for (int i = 1; i < 27; ++i) {
      const Vector3d way(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
      if (way.isZero()) continue;
      for (const double gap : {0.0, 1e-15, 1e-12, 1e-9, -1e-15, -1e-12, -1e-9}) {
        const Separation s = convex_separation({&box, R, Vector3d::Zero()}, {&box, R, R * ((2 + gap) * way)});
        EXPECT_NEAR(s.distance, gap > 0 ? gap * way.norm() : gap, 4e-15) << "way " << way.transpose() << " gap " << gap;
        EXPECT_GE(s.normal.dot(R * way), -1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace stickslip
