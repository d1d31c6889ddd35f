#include <gtest/gtest.h>

#include "stickslip/geometry/collider_testing.h"
#include "stickslip/geometry/convex_core.h"
#include "stickslip/geometry/separation.h"

namespace stickslip {
namespace {

using collider_testing::convex_shapes;
using collider_testing::height_field;
using collider_testing::height_mesh;
using collider_testing::mesh_collider;
using forest_testing::Random;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
const Vector3d kSize(4, 4, 0.5);

double bumps(double x, double y) { return 0.1 * std::sin(5 * x) * std::cos(7 * y); }

double nearest_of_all(const Terrain& triangles, const Placed& body) {
  double nearest = kInfinite;
  for (int i = 0; i < triangles.triangle_count(); ++i) {
    const auto& [a, b, c] = surface_triangle(triangles, i).vertex;
    nearest = std::min(nearest, core_separation(core_of(body), triangle_core(a, b, c)).distance);
  }
  return nearest;
}

// In front of a mesh or a terrain, near and far: the search through the tree or the cells misses no triangle.
TEST(SurfaceSeparation, IsThatOfTheNearestTriangle) {
  const HeightField field = height_field(13, 13, kSize, bumps);
  const Collider terrain = make_collider(field), mesh = mesh_collider(height_mesh(13, 13, kSize, bumps));
  Random random(3);
  for (const Collider& shape : convex_shapes()) {
    for (int i = 0; i < 20; ++i) {
      Placed body{&shape, random.pose().rotation, random.vector(2)};
      body.p.z() = 0.5 + random.uniform(0.0, i % 4 == 0 ? 20.0 : 1.0);
      const double expected = nearest_of_all(*terrain.terrain, body);
      for (const Collider& surface : {terrain, mesh}) {
        const Separation found = separation(body, {&surface});
        EXPECT_NEAR(found.distance, expected, 1e-12 * (1 + expected));
        EXPECT_NEAR((found.point_b - found.point_a - found.distance * found.normal).norm(), 0, 1e-12 * (1 + expected));
        EXPECT_EQ(separation(body, {&surface}, 0.5 * expected).distance, kInfinite);
      }
    }
  }
}

// A point has no size by which the search could widen: in a hollow, above the ground and below the terrain's top.
TEST(SurfaceSeparation, OfAPointInAHollowIsFound) {
  const Collider terrain = make_collider(height_field(13, 13, kSize, bumps));
  const Collider point{.kind = ColliderKind::kSphere, .box = {Vector3d::Zero(), Vector3d::Zero()}};
  const Placed body{&point, Matrix3d::Identity(), {1.0, 0.05, 0.02}};
  ASSERT_LT(terrain.terrain->height_at(1.0, 0.05), 0.02);
  EXPECT_NEAR(separation(body, {&terrain}).distance, nearest_of_all(*terrain.terrain, body), 1e-12);
}

// A sheet has a back: seen from there it is as far as it is. A terrain is solid.
TEST(SurfaceSeparation, OfABodyBehindAMeshIsFiniteAndOfOneBelowATerrainADepth) {
  const Collider terrain = make_collider(height_field(13, 13, kSize, bumps));
  const Collider mesh = mesh_collider(height_mesh(13, 13, kSize, bumps));
  for (const Collider& shape : convex_shapes()) {
    const Placed body{&shape, Matrix3d::Identity(), {0.1, 0.2, -3}};
    EXPECT_NEAR(separation(body, {&mesh}).distance, nearest_of_all(*terrain.terrain, body), 1e-12);
    EXPECT_LT(separation(body, {&terrain}).distance, -2);
  }
}

// A point of the surface all but in the middle of a sphere pushes it nowhere: the direction of an offset that is hardly
// a number is none.
TEST(SurfaceSeparation, SphereAroundAPeakHasAUnitNormal) {
  const Mesh pyramid{.vertices = {{0, 0, 0}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, -1}, {1, -1, -1}},
                     .triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}, {1, 4, 3}, {1, 3, 2}}};
  const Collider ground = make_collider(TriangleMesh{std::make_shared<Mesh>(pyramid)}),
                 ball = make_collider(Sphere{0.3});
  for (const double length : {5e-324, 1e-322, 1e-310, 1e-200, 1e-160, 1e-40}) {
    for (const Vector3d& direction : {Vector3d(1, 0, 3), Vector3d(2, 3, 1), Vector3d(0, 0, 1), Vector3d(1, 0, 0)}) {
      const Separation s = separation({.shape = &ground}, {.shape = &ball, .p = length * direction});
      EXPECT_NEAR(s.normal.norm(), 1, 1e-12) << length;
      EXPECT_LE(s.distance, -0.1);
    }
  }
}

}  // namespace
}  // namespace stickslip
