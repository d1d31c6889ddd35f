#include <algorithm>

#include "stickslip/geometry/convex_core.h"
#include "stickslip/geometry/primitive_separation.h"
#include "stickslip/geometry/surface_contacts.h"
#include "stickslip/geometry/terrain.h"
#include "stickslip/geometry/triangle_surface.h"

namespace stickslip {
namespace {

// Triangles that share the nearest vertex or edge are as near as each other but for round-off: this part of the body.
constexpr double kTie = 1e-12;

// The nearest triangle so far, in the surface's frame.
struct Search {
  ConvexCore body;
  Aabb box;  // of the body
  double limit;
  Separation nearest = {.distance = std::numeric_limits<double>::infinity()};
  // Cosine of the angle between the way to the nearest triangle and its normal, negative in front of it. Of several
  // the one that is seen most directly tells the side: beside a sharp corner one may be in front of a triangle's end
  // and yet behind its plane.
  double facing = 0;

  bool touches() const { return nearest.distance <= 0; }

  // How long it still makes sense to look.
  double bound() const { return touches() ? -1 : std::min(limit, nearest.distance); }

  void try_triangle(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    const double tie = kTie * (body.size + body.radius);
    if (gap(box_of(a, b, c), box) > bound() + tie) return;
    const Separation between = core_separation(body, triangle_core(a, b, c), bound() + tie);
    if (between.distance > std::min(limit, nearest.distance + tie)) return;
    const double cosine = (b - a).cross(c - a).normalized().dot(between.normal);
    const bool is_tie = between.distance >= nearest.distance - tie;
    if (!is_tie || std::abs(cosine) > std::abs(facing)) facing = cosine;
    if (between.distance < nearest.distance) nearest = between;
  }
};

void search(const TriangleSurface& surface, Search& search) {
  visit_nearest_first(
      surface.tree, [&](const Aabb& node) { return gap(node, search.box); }, [&] { return search.bound(); },
      [&](int index) {
        const auto& [a, b, c] = surface.triangles[index];
        search.try_triangle(surface.vertices[a], surface.vertices[b], surface.vertices[c]);
      });
}

// The cells under a window that doubles until nothing outside it can be nearer.
void search(const Terrain& terrain, Search& search) {
  const double whole = gap(terrain.box, search.box) + (terrain.box.upper - terrain.box.lower).norm();
  // At least a cell: the window of a body that is a point would stay one.
  const double cell = (terrain.box.upper.x() - terrain.box.lower.x()) / terrain.cell_columns();
  double margin = gap(terrain.box, search.box) + std::max(cell, 0.1 * (search.box.upper - search.box.lower).norm());
  while (true) {
    visit_triangles(terrain, search.box.grown(margin),
                    [&](const SurfaceTriangle& t) { search.try_triangle(t.vertex[0], t.vertex[1], t.vertex[2]); });
    if (margin >= search.bound() || margin > whole) return;
    margin *= 2;
  }
}

// The deepest contact of a body in the surface; false if none is.
bool find_depth(const Placed& convex, const Placed& surface, Separation& out) {
  SurfaceWorkspace workspace;
  std::vector<Manifold> manifolds;
  surface_contacts(convex, surface, 0, workspace, manifolds);
  out.distance = std::numeric_limits<double>::infinity();
  for (const Manifold& manifold : manifolds) {
    const ManifoldPoint& point = deepest_point(manifold);
    if (point.distance >= out.distance) continue;
    out = {point.distance, manifold.normal, point.point_a, point.point_a + point.distance * manifold.normal};
  }
  return !manifolds.empty();
}

Separation moved(const Separation& local, const Placed& frame) {
  return {local.distance, frame.R * local.normal, frame.R * local.point_a + frame.p, frame.R * local.point_b + frame.p};
}

}  // namespace

Separation surface_separation(const Placed& convex, const Placed& surface, double limit) {
  const Placed body{convex.shape, surface.R.transpose() * convex.R, surface.R.transpose() * (convex.p - surface.p)};
  const Terrain* terrain = surface.shape->terrain.get();
  Search nearest{core_of(body), bounding_box(body), limit};
  if (terrain)
    search(*terrain, nearest);
  else
    search(*surface.shape->surface, nearest);
  Separation depth;
  // Just behind a sheet a body is still pushed out to its front, by as much as its contacts say.
  const bool may_overlap = nearest.touches() || (terrain ? terrain->is_in_ground(body.p) : nearest.facing > 0);
  if (may_overlap && find_depth(convex, surface, depth)) return depth;
  return moved(nearest.nearest, surface);
}

}  // namespace stickslip
