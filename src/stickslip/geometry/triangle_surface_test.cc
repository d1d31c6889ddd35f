#include "stickslip/geometry/triangle_surface.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "stickslip/geometry/collider_testing.h"
#include "stickslip/model/forest_testing.h"

namespace stickslip {
namespace {

using collider_testing::box_mesh;
using collider_testing::height_mesh;
using forest_testing::Random;

Mesh random_ground(int n, unsigned seed, bool soup = false) {
  Random random(seed);
  std::vector<double> heights;
  return height_mesh(n, n, {2, 2, 0.1}, [&](double, double) { return random.uniform(0, 0.1); }, soup);
}

// Every inner edge of a cube is a right-angled ridge or the flat diagonal of a side.
TEST(TriangleSurface, CubeHasTwelveRidgesAndSixFlatDiagonals) {
  const auto surface = make_triangle_surface(box_mesh({1, 2, 3}));
  int ridges = 0, flat = 0;
  for (int i = 0; i < surface->size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      ridges += surface->edges[i][k] == EdgeKind::kConvex;
      flat += surface->edges[i][k] == EdgeKind::kFlat;
    }
  }
  EXPECT_EQ(surface->size(), 12);
  EXPECT_EQ(ridges, 24);  // each seen from both sides
  EXPECT_EQ(flat, 12);
}

// Corners whose differences have squares that are no numbers any more are one corner, and a mesh that is no larger has
// no triangles.
TEST(TriangleSurface, CornersTooNearToHaveADirectionBetweenThemAreOne) {
  for (const double length : {1e-40, 1e-159, 1e-300}) {
    Mesh mesh{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, length, length}, {length, 0, 0}},
              .triangles = {{0, 1, 2}, {3, 2, 1}, {0, 3, 4}}};
    const auto surface = make_triangle_surface(mesh);
    EXPECT_EQ(surface->vertices.size(), 3u);
    EXPECT_EQ(surface->size(), 2);
    for (Vector3d& vertex : mesh.vertices) vertex *= length;
    EXPECT_EQ(make_triangle_surface(mesh)->size(), 0);
  }
}

TEST(TriangleSurface, InsideOutCubeHasValleys) {
  Mesh mesh = box_mesh({1, 1, 1});
  for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
  const auto surface = make_triangle_surface(mesh);
  for (const auto& edges : surface->edges) EXPECT_EQ(std::ranges::count(edges, EdgeKind::kConcave), 2);
}

TEST(TriangleSurface, NeighboursAreMutualAndShareTheEdge) {
  const auto surface = make_triangle_surface(random_ground(20, 1));
  for (int i = 0; i < surface->size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const int j = surface->neighbors[i][k];
      EXPECT_EQ(j < 0, surface->edges[i][k] == EdgeKind::kBorder);
      if (j < 0) continue;
      EXPECT_EQ(std::ranges::count(surface->neighbors[j], i), 1);
      const SurfaceTriangle t = surface_triangle(*surface, i);
      EXPECT_EQ(t.edge_normal[k], surface->normals[j]);
    }
  }
}

// The triangles of an STL file share no vertices; noise below the tolerance does not keep them apart.
TEST(TriangleSurface, SoupIsWelded) {
  Mesh soup = random_ground(20, 2, true);
  Random random(3);
  for (Vector3d& v : soup.vertices) v += random.vector(1e-10);
  const auto surface = make_triangle_surface(soup);
  EXPECT_EQ(surface->vertices.size(), 400u);
  const auto whole = make_triangle_surface(random_ground(20, 2));
  EXPECT_EQ(surface->neighbors, whole->neighbors);
  EXPECT_EQ(surface->edges, whole->edges);
}

TEST(TriangleSurface, TrianglesWithoutAreaAreLeftOut) {
  Mesh mesh = box_mesh({1, 1, 1});
  mesh.vertices.push_back({0, -1, -1});  // on the edge 0-1
  mesh.triangles.insert(mesh.triangles.begin(), {{0, 8, 1}, {2, 2, 3}});
  const auto surface = make_triangle_surface(mesh);
  EXPECT_EQ(surface->size(), 12);
  const auto empty = make_triangle_surface(Mesh{.vertices = {{1, 1, 1}}, .triangles = {{0, 0, 0}}});
  EXPECT_EQ(empty->size(), 0);
  visit_triangles(*empty, Aabb{}.grown(1), [](const SurfaceTriangle&) { ADD_FAILURE(); });
  EXPECT_EQ(make_triangle_surface(Mesh{})->size(), 0);
}

// Given again, also from another corner; its back is another triangle.
TEST(TriangleSurface, CopiesOfATriangleAreLeftOut) {
  Mesh mesh = box_mesh({1, 1, 1});
  const auto [a, b, c] = mesh.triangles[0];
  mesh.triangles.insert(mesh.triangles.end(), {{a, b, c}, {b, c, a}, {c, b, a}});
  EXPECT_EQ(make_triangle_surface(mesh)->size(), 13);
}

// A fin on a floor: three triangles share an edge. From above the floor meets the fin, and the fin's back is a border.
TEST(TriangleSurface, NeighbourAtASharedEdgeIsTheFirstMetFromTheFront) {
  Mesh mesh{.vertices = {{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, -1, 0}, {0.5, 0, 1}}};
  mesh.triangles = {{0, 1, 2}, {1, 0, 3}, {1, 0, 4}};  // floor at +y, floor at -y, a fin that looks to +y
  const auto surface = make_triangle_surface(mesh);
  EXPECT_EQ(surface->neighbors[0][0], 2);
  EXPECT_EQ(surface->edges[0][0], EdgeKind::kConcave);
  EXPECT_EQ(surface->neighbors[1][0], 0);
  EXPECT_EQ(surface->neighbors[2][0], 0);
}

TEST(TriangleSurface, FoldedSheetEndsInRidges) {
  Mesh mesh{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .triangles = {{0, 1, 2}, {0, 2, 1}}};
  const auto surface = make_triangle_surface(mesh);
  for (const auto& edges : surface->edges) EXPECT_EQ(std::ranges::count(edges, EdgeKind::kConvex), 3);
}

TEST(TriangleSurface, VisitFindsWhatEveryTriangleWould) {
  Random random(4);
  Mesh mesh;
  for (int i = 0; i < 500; ++i) {
    const Vector3d center = random.vector();
    const double size = std::pow(10, random.uniform(-3, 0));
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(center + random.vector(size));
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  const auto surface = make_triangle_surface(mesh);
  for (int query = 0; query < 200; ++query) {
    Aabb box;
    box.include(random.vector());
    box = box.grown(random.uniform(0, 0.3));
    std::set<int> found, expected;
    visit_triangles(*surface, box, [&](const SurfaceTriangle& t) { EXPECT_TRUE(found.insert(t.index).second); });
    for (int i = 0; i < surface->size(); ++i) {
      const SurfaceTriangle t = surface_triangle(*surface, i);
      if (box_of(t.vertex[0], t.vertex[1], t.vertex[2]).overlaps(box)) expected.insert(i);
    }
    EXPECT_EQ(found, expected);
  }
}

// All in one place, or each inside the next: no split helps, and the tree is still not deep.
TEST(TriangleSurface, TreeOfBadBoxesStaysShallow) {
  std::vector<Aabb> boxes;
  for (int i = 0; i < 3000; ++i) {
    const double size = std::pow(0.7, i / 3);
    boxes.push_back({Vector3d::Zero(), Vector3d::Constant(size)});
  }
  for (int i = 0; i < 1000; ++i) boxes.push_back({Vector3d::Zero(), Vector3d::Ones()});
  const BoxTree tree = make_box_tree(boxes);
  int found = 0;
  visit_items(tree, [](const Aabb&) { return true; }, [&](int) { ++found; });
  EXPECT_EQ(found, 4000);
  std::vector<int> depth(tree.nodes.size());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].count > 0) continue;
    for (int child : {tree.nodes[i].first, tree.nodes[i].first + 1}) depth[child] = depth[i] + 1;
  }
  EXPECT_LT(*std::ranges::max_element(depth), BoxTree::kMaxDepth - 2);
}

}  // namespace
}  // namespace stickslip
