#pragma once

#include <memory>
#include <vector>

#include "stickslip/geometry/box_tree.h"
#include "stickslip/geometry/surface_triangle.h"
#include "stickslip/shapes/shape.h"

namespace stickslip {

// The triangles of a mesh, ready for queries: welded, connected and in a tree. Triangles without area are left out, and
// copies of others.
struct TriangleSurface {
  std::vector<Vector3d> vertices;             // those closer than kWeldDistance of the mesh's size are one
  std::vector<std::array<int, 3>> triangles;  // counter-clockwise seen from the front
  std::vector<Vector3d> normals;              // unit
  std::vector<std::array<int, 3>> neighbors;  // across edge k, vertex k to k + 1; -1 at a border
  std::vector<std::array<EdgeKind, 3>> edges;
  std::vector<int> facets;        // see SurfaceTriangle
  std::vector<int> vertex_first;  // [v], [v + 1]: range in vertex_triangles
  std::vector<int> vertex_triangles;
  Aabb box;
  BoxTree tree;

  int size() const { return static_cast<int>(triangles.size()); }
};

constexpr double kWeldDistance = 1e-9;  // of the diagonal of the mesh's box

// Where more than two triangles share an edge, the neighbour is the one that is met first going round the edge from the
// triangle's front (the first in the mesh if several are). One that runs along the edge in the same direction, so that
// front meets back, is no neighbour: the edge is a border of both.
std::shared_ptr<const TriangleSurface> make_triangle_surface(const Mesh& mesh);

SurfaceTriangle surface_triangle(const TriangleSurface& surface, int index);

// The same, but what it takes the neighbours' normals to know: `edge_normal` means nothing.
SurfaceTriangle triangle_alone(const TriangleSurface& surface, int index);

// Calls visit(const SurfaceTriangle&) for every triangle whose box overlaps `box`, in an order that depends only on the
// surface.
template <class Visitor>
void visit_triangles(const TriangleSurface& surface, const Aabb& box, Visitor&& visit) {
  visit_items(
      surface.tree, [&box](const Aabb& node) { return node.overlaps(box); },
      [&](int index) {
        const auto& [a, b, c] = surface.triangles[index];
        if (!box_of(surface.vertices[a], surface.vertices[b], surface.vertices[c]).overlaps(box)) return;
        visit(surface_triangle(surface, index));
      });
}

}  // namespace stickslip
