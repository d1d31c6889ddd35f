#include <gtest/gtest.h>

#include "stickslip/geometry/convex_core.h"
#include "stickslip/geometry/convex_testing.h"
#include "stickslip/geometry/gjk.h"
#include "stickslip/geometry/separation_oracle_testing.h"
#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

// Shapes of a tenth of a metre, thin ones among them.
std::vector<Collider> all_shapes(std::mt19937_64& random) {
  return {test_sphere(0.1),
          test_capsule(0.05, 0.1),
          test_box({0.1, 0.08, 0.12}),
          test_cylinder(0.08, 0.1),
          test_cylinder(0.2, 0.005),
          test_ellipsoid({0.1, 0.07, 0.13}),
          test_ellipsoid({0.2, 0.15, 0.01}),
          test_hull(points_on_sphere(random, 10, 0.1)),
          test_hull(points_on_sphere(random, 80, 0.1))};
}

Placed randomly_placed(const Collider& shape, std::mt19937_64& random, double spread) {
  return {&shape, random_rotation(random), spread * random_vector(random)};
}

bool is_finite(const Separation& s) {
  return std::isfinite(s.distance) && s.normal.allFinite() && s.point_a.allFinite() && s.point_b.allFinite();
}

void expect_consistent(const Separation& s, double scale) {
  ASSERT_TRUE(is_finite(s));
  EXPECT_NEAR(s.normal.norm(), 1, 1e-13);
  EXPECT_LE((s.point_a + s.distance * s.normal - s.point_b).norm(), 1e-13 * (scale + s.point_a.norm()));
}

TEST(ConvexSeparation, SpheresInClosedForm) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100; ++i) {
    const Collider small = test_sphere(0.1), large = test_sphere(0.3);
    const Placed a = randomly_placed(small, random, 0.3), b = randomly_placed(large, random, 0.3);
    const Separation s = convex_separation(a, b);
    const Vector3d between = b.p - a.p;
    EXPECT_NEAR(s.distance, between.norm() - 0.4, 1e-15);
    EXPECT_LE((s.normal - between.normalized()).norm(), 1e-14);
    EXPECT_LE((s.point_a - a.p - 0.1 * s.normal).norm(), 1e-15);
    expect_consistent(s, 1);
  }
}

TEST(ConvexSeparation, CapsulesInClosedForm) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 1000; ++i) {
    const Collider thin = test_capsule(0.05, 0.3), thick = test_capsule(0.1, 0.2);
    const Placed a = randomly_placed(thin, random, 0.3), b = randomly_placed(thick, random, 0.3);
    const double axes =
        segment_distance(a.p - 0.3 * a.R.col(2), 0.6 * a.R.col(2), b.p - 0.2 * b.R.col(2), 0.4 * b.R.col(2));
    const Separation s = convex_separation(a, b);
    EXPECT_NEAR(s.distance, axes - 0.15, 1e-14);
    expect_consistent(s, 1);
  }
}

// Axes that nearly cross, some of them nearly parallel: the normal has to be across both, however short the offset, or
// the capsules' lengths would make the distance along it another.
TEST(ConvexSeparation, CapsulesWhoseAxesNearlyCross) {
  std::mt19937_64 random(3);
  const Collider thin = test_capsule(0.05, 0.3), thick = test_capsule(0.1, 0.2);
  for (int i = 0; i < 1000; ++i) {
    const double gap = std::pow(10.0, -4 - i % 9), angle = std::pow(10.0, -(i % 5));
    const Matrix3d R = random_rotation(random);
    const Matrix3d turned = Eigen::AngleAxisd(angle, R.col(0)) * R;
    const Placed a{&thin, R, 0.1 * R.col(2)}, b{&thick, turned, gap * R.col(0) - 0.05 * turned.col(2)};
    const Separation s = separation(a, b);
    EXPECT_NEAR(s.distance, gap - 0.15, 1e-11);  // round-off of the closest points, over the smallest angle, 1e-4
    const double along = -(support_point(a, s.normal) - support_point(b, -s.normal)).dot(s.normal);
    EXPECT_NEAR(along, s.distance, 1e-10) << gap << " " << angle;
  }
}

// On a common axis a capsule can leave a cylinder along it or across it; here along it is shorter by 1e-4.
TEST(ConvexSeparation, CoaxialCapsuleLeavesACylinderTheShorterWay) {
  const Collider capsule = test_capsule(0.3, 0.45), cylinder = test_cylinder(0.3, 0.5);
  for (const double turn : {0.0, 1e-17, 1e-12}) {
    Placed b{&cylinder, Matrix3d::Identity(), {0, 5.6e-17, -0.6500840867792627}};
    b.R = Eigen::AngleAxisd(M_PI + turn, Vector3d(1, -1, 0).normalized()).toRotationMatrix();
    const Separation s = separation({&capsule}, b);
    EXPECT_NEAR(s.distance, -(0.45 + 0.3 + 0.5 - 0.6500840867792627), 1e-10) << turn;
    EXPECT_NEAR(s.normal.z(), -1, 1e-10) << turn;
  }
}

// Along the axes the gap between boxes is that of their intervals; the largest of the three is the overlap.
TEST(ConvexSeparation, AlignedBoxesInClosedForm) {
  std::mt19937_64 random(3);
  const Vector3d half_a(0.1, 0.2, 0.3), half_b(0.3, 0.1, 0.2);
  const Collider a = test_box(half_a), b = test_box(half_b);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d offset = 0.6 * random_vector(random);
    const Separation s = convex_separation({.shape = &a}, {.shape = &b, .p = offset});
    const Vector3d gap = offset.cwiseAbs() - half_a - half_b;
    const double expected = gap.maxCoeff() < 0 ? gap.maxCoeff() : gap.cwiseMax(0).norm();
    EXPECT_NEAR(s.distance, expected, 2e-16);
    expect_consistent(s, 1);
    EXPECT_LE((s.point_a.cwiseAbs() - half_a).maxCoeff(), 1e-15);
    EXPECT_LE(((s.point_b - offset).cwiseAbs() - half_b).maxCoeff(), 1e-15);
  }
}

TEST(ConvexSeparation, HullsAgreeWithAllPairsOfFeatures) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 3000; ++i) {
    const Collider shape_a = test_hull(points_on_sphere(random, 4 + i % 7, 0.1));
    const Collider shape_b =
        i % 5 == 0 ? test_hull(box_corners({0.1, 0.05, 0.02})) : test_hull(points_on_sphere(random, 4 + i % 6, 0.2));
    const Placed a = randomly_placed(shape_a, random, 0.2), b = randomly_placed(shape_b, random, 0.2);
    const ConvexCore core_a = core_of(a), core_b = core_of(b);
    const CorePair pair(core_a, core_b);
    const Separation s = convex_separation(a, b);
    const double axes = separating_axes_distance(pair, *shape_a.hull, *shape_b.hull);
    const double expected = axes < 0 ? axes : nearest_features_distance(pair, *shape_a.hull, *shape_b.hull);
    EXPECT_NEAR(s.distance, expected, 1e-14) << i;
    expect_consistent(s, 1);
  }
}

// What a mesh of triangles asks: boxes that are level with a triangle, or all but level, above it and beside it.
// Shorter than kTouching of the scale is a touch.
TEST(ConvexSeparation, TheDistanceOfALevelBoxFromATriangleIsThatOfTheNearestFeatures) {
  std::mt19937_64 random(14);
  std::uniform_real_distribution<double> uniform(-1, 1);
  constexpr double kTilts[] = {0, 1e-12, 1e-9, 1e-7, 1e-5}, kHeights[] = {0, 1e-12, 1e-9, 1e-6, 1e-3, 0.1};
  const Collider box = test_hull(box_corners({0.1, 0.05, 0.02}));
  for (int i = 0; i < 3000; ++i) {
    const double width = i % 3 == 0 ? 1e-4 : 0.1;  // slivers too
    const Collider triangle = test_hull({{0, 0, 0}, {0.2, 0, 0}, {0.2 * uniform(random), width, 0}});
    const Vector3d tilt = kTilts[i % 5] * Vector3d(uniform(random), uniform(random), uniform(random));
    const Placed a{.shape = &triangle};
    Placed b{.shape = &box, .R = exp_quaternion(tilt).toRotationMatrix()};
    if (i % 2 == 0) b.R = b.R * exp_quaternion({0, 0, 3 * uniform(random)}).toRotationMatrix();
    const double lowest = support_point(b, -Vector3d::UnitZ()).z();
    b.p = {0.1 + 0.2 * uniform(random), 0.2 * uniform(random), kHeights[i % 6] - lowest};
    if (i % 7 == 0) b.p.y() = 0.05;  // an edge of the box along one of the triangle
    const ConvexCore core_a = core_of(a), core_b = core_of(b);
    const CorePair pair(core_a, core_b);
    Nearest nearest;
    find_nearest(pair, HUGE_VAL, 0, nearest);
    const double expected = nearest_features_distance(pair, *triangle.hull, *box.hull);
    EXPECT_NEAR(nearest.status == Nearest::Status::kTouch ? 0 : nearest.distance, expected, kTouching * pair.scale)
        << i;
  }
}

// Two ways to the same number: the hull's planes, and the general method with a hull of one vertex for the point.
TEST(ConvexSeparation, SphereInsideAHullAgreesWithTheGeneralMethod) {
  std::mt19937_64 random(13);
  const Collider hull = test_hull(points_on_sphere(random, 60, 0.1)), sphere = test_sphere(0.02);
  const Collider point = test_hull({Vector3d::Zero()});
  for (int i = 0; i < 1000; ++i) {
    const Placed a = randomly_placed(hull, random, 0.01);
    const Vector3d p = 0.1 * random_vector(random);
    const Separation fast = convex_separation(a, {.shape = &sphere, .p = p});
    const Separation general = convex_separation(a, {.shape = &point, .p = p});
    EXPECT_NEAR(fast.distance + 0.02, general.distance, 1e-15);
    EXPECT_LE((fast.normal - general.normal).norm(), 1e-12);
    EXPECT_LE((fast.point_a - general.point_a).norm(), 1e-14);
    const Separation back = convex_separation({.shape = &sphere, .p = p}, a);
    EXPECT_NEAR(back.distance, fast.distance, 1e-15);
    EXPECT_LE((back.point_b - fast.point_a).norm(), 1e-14);
  }
}

TEST(ConvexSeparation, CurvedShapesAgreeWithSampling) {
  std::mt19937_64 random(5);
  const std::vector<Collider> shapes = all_shapes(random);
  for (const Collider& first : shapes) {
    for (const Collider& second : shapes) {
      for (int i = 0; i < 20; ++i) {
        const Placed a = randomly_placed(first, random, 0.1);
        Placed b = randomly_placed(second, random, 0.2);
        if (i % 4 == 0) b.R = a.R;  // parallel axes and faces
        const ConvexCore core_a = core_of(a), core_b = core_of(b);
        const CorePair pair(core_a, core_b);
        if (!pair.is_curved) continue;
        const Separation s = convex_separation(a, b);
        const double radii = core_a.radius + core_b.radius;
        EXPECT_GE(s.distance, sampled_distance(pair, random) - radii - 1e-10);  // sampling gets stuck, so never above
        EXPECT_NEAR(s.distance, room(pair, a.R.transpose() * s.normal) - radii, 1e-14);
        expect_consistent(s, 1);
      }
    }
  }
}

// A corner deep in a cylinder, all but over its rim. Along the axis the overlap is least nearby, but a little aside it
// is less: the first of two hills is not the higher one because it is found first.
TEST(ConvexSeparation, NoDirectionBesideACapsAxisIsBetter) {
  std::mt19937_64 random(15);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Vector3d> corners;  // of a frustum with six sides
  for (int k = 0; k < 6; ++k) {
    const Vector3d around(std::cos(k * M_PI / 3), std::sin(k * M_PI / 3), 0);
    corners.emplace_back(0.5 * around - Vector3d(0, 0, 0.3));
    corners.emplace_back(0.3 * around + Vector3d(0, 0, 0.3));
  }
  const Collider cylinder = test_cylinder(0.5, 0.4), frustum = test_hull(corners);
  const Matrix3d lying = (Matrix3d() << 0, 0, -1, 1, 0, 0, 0, -1, 0).finished();
  for (int i = 0; i < 300; ++i) {
    const Vector3d turn = (1 + 0.1 * uniform(random)) * Vector3d(-1.784e-3, 7.1e-5, -1.29e-3);
    const Placed a{.shape = &cylinder};
    const Placed b{.shape = &frustum,
                   .R = exp_quaternion(turn).toRotationMatrix() * lying,
                   .p = {0.12487 + 1e-4 * uniform(random), 0.01285 + 1e-4 * uniform(random), 0.38454}};
    const ConvexCore core_a = core_of(a), core_b = core_of(b);
    const CorePair pair(core_a, core_b);
    const Separation s = convex_separation(a, b);
    for (int k = 0; k < 400; ++k) {
      const Vector3d beside = Vector3d(5e-3 * uniform(random), 5e-3 * uniform(random), 1).normalized();
      EXPECT_GE(s.distance, room(pair, beside) - 1e-14) << i;
    }
  }
}

// The points are where they are said to be: on both surfaces.
TEST(ConvexSeparation, PointsAreFarthestAlongTheNormal) {
  std::mt19937_64 random(6);
  const std::vector<Collider> shapes = all_shapes(random);
  for (const Collider& first : shapes) {
    for (const Collider& second : shapes) {
      for (int i = 0; i < 50; ++i) {
        const Placed a = randomly_placed(first, random, 0.1);
        Placed b = randomly_placed(second, random, 0.25);
        if (i % 4 == 0) b.R = a.R;
        const Separation s = convex_separation(a, b);
        // A point of a convex set: no direction sees it outside. On its surface: the normal sees it farthest.
        for (int side = 0; side < 2; ++side) {
          const ConvexCore core = core_of(side == 0 ? a : b);
          const Vector3d point = core.R.transpose() * ((side == 0 ? s.point_a : s.point_b) - core.p);
          const Vector3d outward = core.R.transpose() * (side == 0 ? s.normal : Vector3d(-s.normal));
          const auto height = [&](const Vector3d& u) { return u.dot(point - support(core, u).position) - core.radius; };
          EXPECT_NEAR(height(outward), 0, 1e-8);
          for (int k = 0; k < 10; ++k) {
            EXPECT_LE(height((outward + 0.3 * k * random_direction(random)).normalized()), 1e-8);
          }
        }
      }
    }
  }
}

TEST(ConvexSeparation, SwappingTheShapesMirrorsTheAnswer) {
  std::mt19937_64 random(7);
  const std::vector<Collider> shapes = all_shapes(random);
  for (const Collider& first : shapes) {
    for (const Collider& second : shapes) {
      for (int i = 0; i < 30; ++i) {
        const Placed a = randomly_placed(first, random, 0.15), b = randomly_placed(second, random, 0.15);
        const Separation there = convex_separation(a, b), back = convex_separation(b, a);
        EXPECT_NEAR(there.distance, back.distance, 1e-9);
        if (there.distance > 1e-3) {  // overlaps may have two equal ways out
          EXPECT_LE((there.normal + back.normal).norm(), 1e-7);
        }
      }
    }
  }
}

// The origin is far away: only the round-off of the positions themselves remains.
TEST(ConvexSeparation, TheSameFarFromTheOrigin) {
  std::mt19937_64 random(8);
  const std::vector<Collider> shapes = all_shapes(random);
  for (const Collider& first : shapes) {
    for (const Collider& second : shapes) {
      for (int i = 0; i < 20; ++i) {
        const Placed a = randomly_placed(first, random, 0.15), b = randomly_placed(second, random, 0.15);
        const Matrix3d turn = random_rotation(random);
        const Vector3d shift = 1e3 * random_vector(random);
        const Separation near = convex_separation(a, b);
        const Separation far =
            convex_separation({a.shape, turn * a.R, turn * a.p + shift}, {b.shape, turn * b.R, turn * b.p + shift});
        EXPECT_NEAR(near.distance, far.distance, 2e-9);
        if (near.distance > 1e-3) {
          EXPECT_LE((turn * near.normal - far.normal).norm(), 1e-6);
        }
      }
    }
  }
}

TEST(ConvexSeparation, TheSameBitsEveryTime) {
  std::mt19937_64 random(9);
  const std::vector<Collider> shapes = all_shapes(random);
  for (const Collider& first : shapes) {
    for (const Collider& second : shapes) {
      const Placed a = randomly_placed(first, random, 0.1), b = randomly_placed(second, random, 0.1);
      const Separation once = convex_separation(a, b);
      convex_separation(b, a);
      const Separation again = convex_separation(a, b);
      EXPECT_EQ(once.distance, again.distance);
      EXPECT_EQ(once.normal, again.normal);
      EXPECT_EQ(once.point_a, again.point_a);
    }
  }
}

TEST(ConvexSeparation, BeyondTheLimitALowerBoundIsEnough) {
  std::mt19937_64 random(10);
  const std::vector<Collider> shapes = all_shapes(random);
  for (const Collider& first : shapes) {
    for (const Collider& second : shapes) {
      for (int i = 0; i < 20; ++i) {
        const Placed a = randomly_placed(first, random, 0.4), b = randomly_placed(second, random, 0.4);
        const double exact = convex_separation(a, b).distance;
        const Separation s = convex_separation(a, b, 0.05);
        if (exact <= 0.05) {
          EXPECT_EQ(s.distance, exact);
        } else {
          EXPECT_GT(s.distance, 0.05);
          EXPECT_LE(s.distance, exact + 1e-12);
        }
      }
    }
  }
}

// Two bodies move past each other: the distance changes no faster than they move, through touching and beyond.
TEST(ConvexSeparation, ContinuousThroughTouching) {
  std::mt19937_64 random(11);
  const std::vector<Collider> shapes = all_shapes(random);
  for (const Collider& first : shapes) {
    for (const Collider& second : shapes) {
      Placed a = randomly_placed(first, random, 0), b = randomly_placed(second, random, 0);
      const Vector3d direction = random_direction(random);
      b.p = 0.7 * direction;
      for (int i = 0; i < 60; ++i) b.p -= convex_separation(a, b).distance * direction;  // up to touching
      const Vector3d touching = b.p;
      for (const double speed : {1e-3, 1e-6, 1e-9, 1e-12, 1e-14}) {
        double last = NAN;
        for (int step = -10; step <= 10; ++step) {
          b.p = touching + step * speed * direction;
          const double distance = convex_separation(a, b).distance;
          if (step > -10) {
            EXPECT_LE(std::abs(distance - last), speed * (1 + 1e-9) + 1e-12) << int(first.kind) << int(second.kind);
          }
          last = distance;
        }
      }
    }
  }
}

// A box comes down on another, a little turned: the normal stays that of the face, from far above to deep inside.
TEST(ConvexSeparation, NormalOfAFaceIsExactHoweverCloseItIs) {
  const Collider base = test_box({1, 1, 0.1}), block = test_box({0.2, 0.3, 0.1});
  const Collider rod = test_cylinder(0.1, 0.2), egg = test_ellipsoid({0.1, 0.2, 0.15});
  const Matrix3d turn = Eigen::AngleAxisd(0.3, Vector3d::UnitZ()).toRotationMatrix();
  for (const Collider* shape : {&block, &rod, &egg}) {
    for (const double gap : {1e-2, 1e-5, 1e-8, 1e-11, 1e-13, 0.0, -1e-13, -1e-10, -1e-6, -1e-2}) {
      const Separation s =
          convex_separation({.shape = &base}, {shape, turn, Vector3d(0.1, 0.2, 0.1 + shape->half.z() + gap)});
      EXPECT_NEAR(s.distance, gap, 1e-15);
      EXPECT_LE((s.normal - Vector3d::UnitZ()).norm(), 1e-14) << gap << " kind " << int(shape->kind);
    }
  }
}

TEST(ConvexSeparation, TriangleAgainstShapes) {
  std::mt19937_64 random(12);
  const std::vector<Collider> shapes = all_shapes(random);
  for (const Collider& shape : shapes) {
    const Placed placed = randomly_placed(shape, random, 0.1);
    const ConvexCore core = core_of(placed);
    for (int i = 0; i < 30; ++i) {
      const Vector3d a = 0.3 * random_vector(random), b = 0.3 * random_vector(random), c = 0.3 * random_vector(random);
      const ConvexCore triangle = triangle_core(a, b, c);
      const Collider sheet = test_hull({a, b, c});
      const double expected = convex_separation({.shape = &sheet}, placed).distance;
      const Separation s = core_separation(triangle, core);
      EXPECT_NEAR(s.distance, expected, 1e-9);
      expect_consistent(s, 1);
    }
  }
  // Degenerate triangles are a segment and a point.
  const Vector3d p(0.1, 0.2, 0.3);
  const Collider ball = test_sphere(0.1);
  EXPECT_NEAR(core_separation(triangle_core(p, p, p), core_of({.shape = &ball})).distance, p.norm() - 0.1, 1e-15);
  EXPECT_NEAR(core_separation(triangle_core(p, 2 * p, p), core_of({.shape = &ball})).distance, p.norm() - 0.1, 1e-15);
}

}  // namespace
}  // namespace stickslip
