#include "stickslip/geometry/separation.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

// How far a point is outside of a shape that has faces; negative inside, then no more than the distance to its surface.
double excess(const Placed& x, const Vector3d& point) {
  const Vector3d at = x.R.transpose() * (point - x.p), &half = x.shape->half;
  switch (x.shape->kind) {
    case ColliderKind::kCapsule:
      return (at - Vector3d(0, 0, std::clamp(at.z(), -half.z(), half.z()))).norm() - half.x();
    case ColliderKind::kCylinder:
      return std::max(std::hypot(at.x(), at.y()) - half.x(), std::abs(at.z()) - half.z());
    case ColliderKind::kHull: {
      double most = x.shape->hull->faces.empty() ? 0 : -std::numeric_limits<double>::infinity();
      for (const Hull::Face& face : x.shape->hull->faces) most = std::max(most, face.normal.dot(at) - face.offset);
      return most;
    }
    default:
      return (at.cwiseAbs() - half).maxCoeff();
  }
}

// A face on a face is nearest along a whole polygon, of which the searches may return a corner of one that the other
// has not: then one of the manifold's points, on the surfaces of both, is better.
void take_common_point(const Placed& a, const Placed& b, Separation& between) {
  constexpr double kOnSurface = 1e-9;  // of the scale
  const auto miss = [&](const Vector3d& point) {
    return std::max(std::abs(excess(a, point)), std::abs(excess(b, point + between.distance * between.normal)));
  };
  double best = miss(between.point_a);
  if (best < kOnSurface * std::min(a.shape->scale(), b.shape->scale())) return;
  Manifold manifold;
  make_manifold(a, b, between, manifold);
  for (int i = 0; i < manifold.count; ++i) {
    const double other = miss(manifold.points[i].point_a);
    if (other >= best) continue;
    best = other;
    between.point_a = manifold.points[i].point_a;
  }
  between.point_b = between.point_a + between.distance * between.normal;
}

bool has_faces(const Placed& x) {
  const ColliderKind kind = x.shape->kind;
  return kind == ColliderKind::kCapsule || kind == ColliderKind::kBox || kind == ColliderKind::kCylinder ||
         kind == ColliderKind::kHull;
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
