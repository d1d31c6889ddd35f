#include "stickslip/geometry/separation.h"

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

}  // namespace

Separation separation(const Placed& a, const Placed& b, double limit) {
  if (b.shape->kind < a.shape->kind) return swapped(ordered_separation(b, a, limit));
  return ordered_separation(a, b, limit);
}

}  // namespace stickslip
