#include "stickslip/geometry/surface_piece.h"

#include <algorithm>

namespace stickslip {
namespace {

// h = |D n| with D = diag(radii): h'' = D^2 / h - (D^2 n)(D^2 n)' / h^3.
Matrix2d ellipsoid_curvature(const Vector3d& radii, const Vector3d& direction, const Matrix32d& tangents) {
  const Vector3d scaled = radii.cwiseProduct(direction);
  const double length = std::max(scaled.norm(), 1e-300);
  const Matrix32d stretched = radii.asDiagonal() * tangents;
  const Vector2d slope = stretched.transpose() * (scaled / length);
  return (stretched.transpose() * stretched - slope * slope.transpose()) / length;
}

// h = r |n_xy| + const: h'' = r / |n_xy| along the rim.
Matrix2d rim_curvature(double radius, const Vector3d& direction, const Matrix32d& tangents) {
  const double length = std::max(std::hypot(direction.x(), direction.y()), 1e-300);
  const Vector2d along = tangents.transpose() * Vector3d(-direction.y() / length, direction.x() / length, 0);
  return (radius / length) * along * along.transpose();
}

}  // namespace

Vector3d piece_point(const ConvexCore& core, int piece, const Vector3d& direction) {
  switch (core.kind) {
    case ConvexCore::Kind::kPoint:
      break;
    case ConvexCore::Kind::kSegment:
      return {0, 0, piece ? core.half.z() : -core.half.z()};
    case ConvexCore::Kind::kTriangle:
      return core.corners[piece];
    case ConvexCore::Kind::kBox:
      return core.half.cwiseProduct(Vector3d(piece & 1 ? 1 : -1, piece & 2 ? 1 : -1, piece & 4 ? 1 : -1));
    case ConvexCore::Kind::kHull:
      return core.hull->vertices[piece];
    case ConvexCore::Kind::kCylinder:
      return rim_point(core.half, direction, piece);
    case ConvexCore::Kind::kEllipsoid:
      return ellipsoid_point(core.half, direction);
  }
  return Vector3d::Zero();
}

Matrix2d piece_curvature(const ConvexCore& core, const Vector3d& direction, const Matrix32d& tangents) {
  if (core.kind == ConvexCore::Kind::kCylinder) return rim_curvature(core.half.x(), direction, tangents);
  if (core.kind == ConvexCore::Kind::kEllipsoid) return ellipsoid_curvature(core.half, direction, tangents);
  return Matrix2d::Zero();
}

}  // namespace stickslip
