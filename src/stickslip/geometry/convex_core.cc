#include "stickslip/geometry/convex_core.h"

#include <algorithm>

namespace stickslip {

ConvexCore core_of(const Placed& placed) {
  const Collider& shape = *placed.shape;
  ConvexCore core;
  core.R = placed.R;
  core.p = placed.p;
  core.half = shape.half;
  core.size = shape.half.norm();
  switch (shape.kind) {
    case ColliderKind::kCapsule:
      core.kind = ConvexCore::Kind::kSegment;
      core.radius = shape.radius();
      core.size = shape.half.z();
      break;
    case ColliderKind::kBox:
      core.kind = ConvexCore::Kind::kBox;
      break;
    case ColliderKind::kCylinder:
      core.kind = ConvexCore::Kind::kCylinder;
      break;
    case ColliderKind::kEllipsoid:
      core.kind = ConvexCore::Kind::kEllipsoid;
      core.size = shape.half.maxCoeff();
      break;
    case ColliderKind::kHull:
      core.kind = ConvexCore::Kind::kHull;
      core.hull = shape.hull.get();
      core.center = shape.hull->center;
      core.size = shape.hull->radius;
      break;
    default:
      core.radius = shape.radius();
      core.size = 0;
      break;
  }
  return core;
}

ConvexCore triangle_core(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  ConvexCore core;
  core.kind = ConvexCore::Kind::kTriangle;
  core.p = a;  // far from the origin, corners relative to one of them keep their digits
  core.corners = {Vector3d::Zero(), b - a, c - a};
  core.center = (core.corners[1] + core.corners[2]) / 3;
  for (const Vector3d& corner : core.corners) core.size = std::max(core.size, (corner - core.center).norm());
  return core;
}

}  // namespace stickslip
