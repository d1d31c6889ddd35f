#include <algorithm>

#include "stickslip/geometry/primitive_separation.h"
#include "stickslip/geometry/surface_contacts.h"

namespace stickslip {
namespace {

// Between the boxes of both in the surface's frame: at least, and at most.
struct Bounds {
  double low = 0, high = 0;
};

Bounds distance_bounds(const Placed& convex, const Placed& surface) {
  const Placed local{convex.shape, surface.R.transpose() * convex.R, surface.R.transpose() * (convex.p - surface.p)};
  const Aabb a = bounding_box(local), b = surface.shape->box;
  const Aabb both = a.united(b);
  return {(a.lower - b.upper).cwiseMax(b.lower - a.upper).cwiseMax(Vector3d::Zero()).norm(),
          (both.upper - both.lower).norm()};
}

bool nearest_point(const std::vector<Manifold>& manifolds, Separation& out) {
  bool found = false;
  for (const Manifold& manifold : manifolds) {
    for (int i = 0; i < manifold.count; ++i) {
      const ManifoldPoint& point = manifold.points[i];
      if (found && point.distance >= out.distance) continue;
      found = true;
      out.distance = point.distance;
      out.normal = manifold.normal;
      out.point_a = point.point_a;
      out.point_b = point.point_a + point.distance * manifold.normal;
    }
  }
  return found;
}

}  // namespace

// The contacts within a reach that doubles until there are some.
Separation surface_separation(const Placed& convex, const Placed& surface, double limit) {
  const Bounds bounds = distance_bounds(convex, surface);
  Separation out;
  out.distance = std::numeric_limits<double>::infinity();
  if (bounds.low > limit) return out;
  const double farthest = std::min(limit, bounds.high);
  SurfaceWorkspace workspace;
  std::vector<Manifold> manifolds;
  double reach = bounds.low + 0.1 * convex.shape->scale();
  while (true) {
    const double now = std::min(reach, farthest);
    manifolds.clear();
    surface_contacts(convex, surface, now, workspace, manifolds);
    if (nearest_point(manifolds, out) || now >= farthest) return out;
    reach *= 2;
  }
}

}  // namespace stickslip
