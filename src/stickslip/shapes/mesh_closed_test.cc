#include "stickslip/shapes/mesh_closed.h"

#include <gtest/gtest.h>

namespace stickslip {
namespace {

Mesh tetrahedron() {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return mesh;
}

TEST(MeshClosed, ATetrahedronIsClosedUntilAFaceIsMissingOrTurned) {
  EXPECT_TRUE(is_closed(tetrahedron()));
  Mesh open = tetrahedron();
  open.triangles.pop_back();
  EXPECT_FALSE(is_closed(open));
  Mesh turned = tetrahedron();
  std::swap(turned.triangles[0][0], turned.triangles[0][1]);
  EXPECT_FALSE(is_closed(turned));
}

// As in files that give every face its own corners, for the sake of normals.
TEST(MeshClosed, VerticesAtTheSamePlaceAreOne) {
  const Mesh shared = tetrahedron();
  Mesh split;
  for (const std::array<int, 3>& triangle : shared.triangles) {
    const int first = static_cast<int>(split.vertices.size());
    for (int corner : triangle) split.vertices.push_back(shared.vertices[static_cast<std::size_t>(corner)]);
    split.triangles.push_back({first, first + 1, first + 2});
  }
  EXPECT_TRUE(is_closed(split));
}

}  // namespace
}  // namespace stickslip
