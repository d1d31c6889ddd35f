#include "stickslip/geometry/surface_fans.h"

#include <gtest/gtest.h>

#include "stickslip/geometry/collider_testing.h"

namespace stickslip {
namespace {

using collider_testing::height_field;
using collider_testing::height_mesh;
using collider_testing::mesh_collider;

const Vector3d kSize(4, 4, 0.5);
constexpr double kRoundOff = 1e-14;  // of sums of a dozen unit vectors

double bumps(double x, double y) { return 0.1 * std::sin(5 * x) * std::cos(7 * y); }

Vector3d along(const SurfaceTriangle& t, int from, int to) { return (t.vertex[to] - t.vertex[from]).normalized(); }

// Of every triangle at every vertex, asked for in order, so that most fans are those another triangle asked for.
void expect_the_fans_of_each_alone(const SurfaceView& surface, int triangles) {
  SurfaceFans shared;
  for (int i = 0; i < triangles; ++i) {
    const SurfaceTriangle t = surface.triangle(i);
    for (int k = 0; k < 3; ++k) {
      SurfaceFans alone;
      SurfaceFan fan, expected;
      ASSERT_TRUE(shared.find(surface, t, k, fan));
      ASSERT_TRUE(alone.find(surface, t, k, expected));
      EXPECT_NEAR((fan.outward - expected.outward).norm(), 0, kRoundOff);
      ASSERT_EQ(fan.limit.size(), expected.limit.size());
      EXPECT_EQ(fan.place, t.vertex[k]);
      EXPECT_NEAR((fan.limit[fan.edge_after] - along(t, k, (k + 2) % 3)).norm(), 0, kRoundOff);
      EXPECT_NEAR((fan.limit[fan.edge_before] - along(t, k, (k + 1) % 3)).norm(), 0, kRoundOff);
    }
  }
}

TEST(SurfaceFans, AreTheSameWhicheverTriangleAsksFirst) {
  const Collider terrain = make_collider(height_field(7, 7, kSize, bumps));
  const Collider mesh = mesh_collider(height_mesh(7, 7, kSize, bumps));
  expect_the_fans_of_each_alone({.terrain = terrain.terrain.get()}, terrain.terrain->triangle_count());
  expect_the_fans_of_each_alone({.mesh = mesh.surface.get()}, static_cast<int>(mesh.surface->triangles.size()));
}

// Two triangles that share a vertex but no edge: each has its own, with a rim on either side.
TEST(SurfaceFans, ThatMeetInAVertexStayApart) {
  Mesh tie;
  tie.vertices = {{0, 0, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0.5}, {-1, -1, 0.5}};
  tie.triangles = {{0, 1, 2}, {0, 3, 4}};
  const Collider mesh = mesh_collider(tie);
  const SurfaceView surface{.mesh = mesh.surface.get()};
  expect_the_fans_of_each_alone(surface, 2);
  SurfaceFans fans;
  SurfaceFan first, second;
  ASSERT_TRUE(fans.find(surface, surface.triangle(0), 0, first));
  const Vector3d outward = first.outward;
  ASSERT_TRUE(fans.find(surface, surface.triangle(1), 0, second));
  EXPECT_GT((outward - second.outward).norm(), 0.1);
}

}  // namespace
}  // namespace stickslip
