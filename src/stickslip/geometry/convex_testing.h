#pragma once

#include <vector>

#include "stickslip/geometry/collider.h"

// Convex colliders by their half lengths, and hulls of points.
namespace stickslip {

inline Collider test_sphere(double radius) { return make_collider(Sphere{radius}); }
inline Collider test_capsule(double radius, double half_length) {
  return make_collider(Capsule{radius, 2 * half_length});
}
inline Collider test_cylinder(double radius, double half_length) {
  return make_collider(Cylinder{radius, 2 * half_length});
}
inline Collider test_box(const Vector3d& half) { return make_collider(Box{2 * half}); }
inline Collider test_ellipsoid(const Vector3d& radii) { return make_collider(Ellipsoid{radii}); }
inline Collider test_hull(const std::vector<Vector3d>& points) { return make_hull_collider({.vertices = points}); }

}  // namespace stickslip
