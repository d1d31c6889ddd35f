#include "stickslip/geometry/terrain.h"

#include <gtest/gtest.h>

#include <set>

#include "stickslip/geometry/collider_testing.h"
#include "stickslip/model/forest_testing.h"

namespace stickslip {
namespace {

using collider_testing::height_field;
using forest_testing::Random;

std::shared_ptr<const Terrain> random_terrain(unsigned seed) {
  Random random(seed);
  return make_terrain(height_field(7, 5, {2, 3, 0.5}, [&](double, double) { return random.uniform(0, 0.4); }));
}

// The same triangles as a mesh have the same normals, neighbours and kinds of edges; only the border differs.
TEST(Terrain, TrianglesAreThoseOfTheMesh) {
  Random random(1);
  const auto height = [&](double x, double y) { return x < 0 ? 0.1 * y : random.uniform(0, 0.4); };
  const HeightField field = height_field(7, 5, {2, 3, 0.5}, height);
  const auto terrain = make_terrain(field);
  Mesh mesh;
  for (int v = 0; v < 35; ++v) mesh.vertices.push_back(terrain->vertex(v / 5, v % 5));
  for (int i = 0; i < terrain->triangle_count(); ++i) {
    mesh.triangles.push_back(surface_triangle(*terrain, i).vertex_index);
  }
  const auto surface = make_triangle_surface(mesh);
  ASSERT_EQ(surface->size(), terrain->triangle_count());
  for (int i = 0; i < surface->size(); ++i) {
    const SurfaceTriangle expected = surface_triangle(*surface, i), actual = surface_triangle(*terrain, i);
    EXPECT_EQ(actual.vertex_index, expected.vertex_index);
    EXPECT_EQ(actual.neighbor, expected.neighbor);
    EXPECT_EQ(actual.edge, expected.edge);
    EXPECT_LT((actual.normal - expected.normal).norm(), 1e-14);
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(actual.vertex[k], expected.vertex[k]);
      if (actual.neighbor[k] < 0) continue;
      EXPECT_LT((actual.edge_normal[k] - expected.edge_normal[k]).norm(), 1e-14);
    }
  }
}

TEST(Terrain, BorderLooksOutOfTheWall) {
  const auto terrain = random_terrain(2);
  for (int i = 0; i < terrain->triangle_count(); ++i) {
    const SurfaceTriangle t = surface_triangle(*terrain, i);
    for (int k = 0; k < 3; ++k) {
      if (t.edge[k] != EdgeKind::kBorder) continue;
      const Vector3d edge = t.vertex[(k + 1) % 3] - t.vertex[k];
      EXPECT_EQ(t.edge_normal[k].dot(edge), 0);
      EXPECT_GT(t.edge_normal[k].dot(edge.cross(t.normal)), 0);
      EXPECT_EQ(t.edge_normal[k].norm(), 1);
    }
  }
}

// Everything whose column of solid ground the box reaches, also from far below.
TEST(Terrain, VisitFindsTrianglesAboveABuriedBox) {
  const auto terrain = random_terrain(3);
  Random random(4);
  for (int query = 0; query < 300; ++query) {
    Aabb box;
    box.include({random.uniform(-1.5, 1.5), random.uniform(-2, 2), random.uniform(-2, 0.5)});
    box = box.grown(random.uniform(0, 0.5));
    std::set<int> found;
    visit_triangles(*terrain, box, [&](const SurfaceTriangle& t) { EXPECT_TRUE(found.insert(t.index).second); });
    for (int i = 0; i < terrain->triangle_count(); ++i) {
      const SurfaceTriangle t = surface_triangle(*terrain, i);
      Aabb column = box_of(t.vertex[0], t.vertex[1], t.vertex[2]);
      column.lower.z() = -std::numeric_limits<double>::infinity();
      EXPECT_EQ(found.contains(i), column.overlaps(box)) << i;
    }
  }
}

TEST(Terrain, VisitOfAnEndlessOrEmptyBoxIsSafe) {
  const auto terrain = random_terrain(5);
  const double huge = std::numeric_limits<double>::infinity();
  int found = 0;
  visit_triangles(*terrain, Aabb{Vector3d::Constant(-huge), Vector3d::Constant(huge)}, [&](const auto&) { ++found; });
  EXPECT_EQ(found, terrain->triangle_count());
  visit_triangles(*terrain, Aabb{}, [](const auto&) { ADD_FAILURE(); });
  visit_triangles(*terrain, Aabb{{1e30, 0, 0}, {2e30, 1, 1}}, [](const auto&) { ADD_FAILURE(); });
}

}  // namespace
}  // namespace stickslip
