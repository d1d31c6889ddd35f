#pragma once

#include <functional>

#include "stickslip/geometry/collider.h"
#include "stickslip/geometry/terrain.h"
#include "stickslip/geometry/triangle_surface.h"
#include "stickslip/model/forest_testing.h"

// Colliders and surfaces of tests.
namespace stickslip::collider_testing {

inline Collider mesh_collider(const Mesh& mesh) {
  return make_collider(TriangleMesh{std::make_shared<const Mesh>(mesh)});
}

using HeightFunction = std::function<double(double x, double y)>;

inline HeightField height_field(int rows, int columns, const Vector3d& size, const HeightFunction& height) {
  auto grid = std::make_shared<HeightGrid>();
  grid->rows = rows;
  grid->columns = columns;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      grid->heights.push_back(height(size.x() * (c / (columns - 1.0) - 0.5), size.y() * (r / (rows - 1.0) - 0.5)));
    }
  }
  return {grid, size};
}

// The upper surface of the same, as a mesh of triangles; nothing welded if `soup`.
inline Mesh height_mesh(int rows, int columns, const Vector3d& size, const HeightFunction& height, bool soup = false) {
  const auto terrain = make_terrain(height_field(rows, columns, size, height));
  Mesh mesh;
  for (int i = 0; i < terrain->triangle_count(); ++i) {
    const SurfaceTriangle t = surface_triangle(*terrain, i);
    const int first = static_cast<int>(mesh.vertices.size());
    mesh.triangles.push_back(soup ? std::array{first, first + 1, first + 2} : t.vertex_index);
    if (soup) mesh.vertices.insert(mesh.vertices.end(), t.vertex.begin(), t.vertex.end());
  }
  for (int v = 0; !soup && v < rows * columns; ++v) mesh.vertices.push_back(terrain->vertex(v / columns, v % columns));
  return mesh;
}

// One of each convex kind, about 0.5 across; the hull is a ball with 40 corners.
inline std::vector<Collider> convex_shapes(unsigned seed = 1) {
  forest_testing::Random random(seed);
  Mesh cloud;
  for (int i = 0; i < 40; ++i) cloud.vertices.push_back(0.25 * random.direction());
  return {make_collider(Sphere{0.25}),
          make_collider(Capsule{0.1, 0.4}),
          make_collider(Box{{0.4, 0.6, 0.3}}),
          make_collider(Cylinder{0.2, 0.3}),
          make_collider(Ellipsoid{{0.2, 0.3, 0.15}}),
          make_hull_collider(cloud)};
}

inline Mesh box_mesh(const Vector3d& half) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.push_back(half.cwiseProduct(Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  }
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

}  // namespace stickslip::collider_testing
