#include "stickslip/geometry/separation.h"

#include <algorithm>
#include <cmath>

#include "stickslip/geometry/manifold.h"
#include "stickslip/geometry/primitive_separation.h"

namespace stickslip {
namespace {

Separation swapped(const Separation& s) { return {s.distance, -s.normal, s.point_b, s.point_a}; }

Separation ordered_separation(const Placed& a, const Placed& b, double limit) {
  const ColliderKind kind_a = a.shape->kind, kind_b = b.shape->kind;
  if (kind_b >= ColliderKind::kTriangleMesh) return surface_separation(a, b, limit);
  if (kind_a == ColliderKind::kHalfSpace) return half_space_separation(a, b);
  if (kind_b <= ColliderKind::kCapsule) return round_separation(a, b);
  if (kind_a == ColliderKind::kSphere && kind_b == ColliderKind::kBox) return sphere_box_separation(a, b);
  if (kind_a == ColliderKind::kSphere && kind_b == ColliderKind::kCylinder) return sphere_cylinder_separation(a, b);
  if (kind_a == ColliderKind::kCapsule && kind_b == ColliderKind::kBox) return capsule_box_separation(a, b);
  if (kind_a == ColliderKind::kBox && kind_b == ColliderKind::kBox) return box_box_separation(a, b, limit);
  return convex_separation(a, b, limit);
}

// A face on a face is nearest along a whole polygon, of which the searches return any corner of either: better one that
// both have.
void take_common_point(const Placed& a, const Placed& b, Separation& between) {
  constexpr double kSame = 3e-7;  // of the scale: faces that are parallel but for a tilt of this order
  Manifold manifold;
  make_manifold(a, b, between, manifold);
  const ManifoldPoint& deepest = deepest_point(manifold);
  if (std::abs(deepest.distance - between.distance) > kSame * std::min(a.shape->scale(), b.shape->scale())) return;
  between.point_a = deepest.point_a;
  between.point_b = between.point_a + between.distance * between.normal;
}

bool has_faces(const Placed& x) {
  const ColliderKind kind = x.shape->kind;
  return kind == ColliderKind::kBox || kind == ColliderKind::kCylinder || kind == ColliderKind::kHull;
}

}  // namespace

Separation quick_separation(const Placed& a, const Placed& b, double limit) {
  if (b.shape->kind < a.shape->kind) return swapped(ordered_separation(b, a, limit));
  return ordered_separation(a, b, limit);
}

Separation separation(const Placed& a, const Placed& b, double limit) {
  Separation between = quick_separation(a, b, limit);
  if (has_faces(a) && has_faces(b) && between.distance <= limit) take_common_point(a, b, between);
  return between;
}

}  // namespace stickslip
