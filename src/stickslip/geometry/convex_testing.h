#pragma once

#include <memory>
#include <vector>

#include "stickslip/geometry/collider.h"

// Convex colliders as the general method needs them, without a scene.
namespace stickslip {

inline Collider convex_collider(ColliderKind kind, const Vector3d& half) {
  Collider collider;
  collider.kind = kind;
  collider.half = half;
  return collider;
}

inline Collider test_sphere(double radius) {
  return convex_collider(ColliderKind::kSphere, Vector3d::Constant(radius));
}
inline Collider test_capsule(double radius, double half_length) {
  return convex_collider(ColliderKind::kCapsule, {radius, radius, half_length});
}
inline Collider test_cylinder(double radius, double half_length) {
  return convex_collider(ColliderKind::kCylinder, {radius, radius, half_length});
}
inline Collider test_box(const Vector3d& half) { return convex_collider(ColliderKind::kBox, half); }
inline Collider test_ellipsoid(const Vector3d& radii) { return convex_collider(ColliderKind::kEllipsoid, radii); }
inline Collider test_hull(const std::vector<Vector3d>& points) {
  Collider collider = convex_collider(ColliderKind::kHull, Vector3d::Zero());
  collider.hull = std::make_shared<const Hull>(make_hull(points));
  collider.half = Vector3d::Constant(collider.hull->radius);
  return collider;
}

}  // namespace stickslip
