#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "stickslip/geometry/collider.h"
#include "stickslip/geometry/separation.h"
#include "stickslip/geometry/smallest_length.h"

namespace stickslip {

// A convex set as the general method sees it: a support function about a frame, made thicker by a radius. Spheres and
// capsules are a point and a segment with a radius, so that they are exact and end in a vertex or an edge.
struct ConvexCore {
  enum class Kind : std::uint8_t { kPoint, kSegment, kTriangle, kBox, kHull, kCylinder, kEllipsoid };

  Kind kind = Kind::kPoint;
  double radius = 0;
  double size = 0;                     // of a ball about `center` that holds the core
  Vector3d half = Vector3d::Zero();    // as in Collider; segment: (0, 0, half length)
  Vector3d center = Vector3d::Zero();  // in its frame; inside the core
  const Hull* hull = nullptr;          // kHull
  std::array<Vector3d, 3> corners;     // kTriangle, in its frame
  Matrix3d R = Matrix3d::Identity();   // the frame, in the axes of the pose
  Vector3d p = Vector3d::Zero();

  // The support point moves smoothly over a curved core; on others it jumps from vertex to vertex.
  bool is_curved() const { return kind == Kind::kCylinder || kind == Kind::kEllipsoid; }
};

ConvexCore core_of(const Placed& placed);  // convex shapes only
ConvexCore triangle_core(const Vector3d& a, const Vector3d& b, const Vector3d& c);

// What convex_separation does for colliders.
Separation core_separation(const ConvexCore& a, const ConvexCore& b,
                           double limit = std::numeric_limits<double>::infinity());

// A point of a core's surface and the piece of the surface it is on: a vertex's number; a cylinder's rim, 1 at +z and 0
// at -z; 0 for an ellipsoid.
struct CorePoint {
  Vector3d position;  // in the core's frame
  int piece;
};

inline CorePoint box_support(const Vector3d& half, const Vector3d& direction) {
  const int x = direction.x() >= 0, y = direction.y() >= 0, z = direction.z() >= 0;
  return {{x ? half.x() : -half.x(), y ? half.y() : -half.y(), z ? half.z() : -half.z()}, x | y << 1 | z << 2};
}

inline Vector3d rim_point(const Vector3d& half, const Vector3d& direction, int piece) {
  const double length = std::sqrt(direction.x() * direction.x() + direction.y() * direction.y());
  const double z = piece ? half.z() : -half.z();
  constexpr double kAlongAxis = 1e-140;  // the squares of less have lost digits
  if (!(length > kAlongAxis)) return {half.x(), 0, z};
  return {half.x() * (direction.x() / length), half.y() * (direction.y() / length), z};
}

inline Vector3d ellipsoid_point(const Vector3d& half, const Vector3d& direction) {
  const Vector3d scaled = half.cwiseProduct(direction);
  const double length = scaled.norm();
  return length > 0 ? Vector3d(half.cwiseProduct(scaled) / length) : Vector3d(half.x(), 0, 0);
}

inline CorePoint triangle_support(const std::array<Vector3d, 3>& corners, const Vector3d& direction) {
  int best = 0;
  double most = direction.dot(corners[0]);
  for (int k = 1; k < 3; ++k) {
    const double value = direction.dot(corners[k]);
    if (value > most) {
      most = value;
      best = k;
    }
  }
  return {corners[best], best};
}

// The point farthest along a direction of any length, in the core's frame; its radius not counted.
inline CorePoint support(const ConvexCore& core, const Vector3d& direction) {
  switch (core.kind) {
    case ConvexCore::Kind::kPoint:
      break;
    case ConvexCore::Kind::kSegment: {
      const int up = direction.z() >= 0;
      return {{0, 0, up ? core.half.z() : -core.half.z()}, up};
    }
    case ConvexCore::Kind::kTriangle:
      return triangle_support(core.corners, direction);
    case ConvexCore::Kind::kBox:
      return box_support(core.half, direction);
    case ConvexCore::Kind::kHull: {
      const int vertex = support_vertex(*core.hull, direction);
      return {core.hull->vertices[vertex], vertex};
    }
    case ConvexCore::Kind::kCylinder: {
      const int up = direction.z() >= 0;
      return {rim_point(core.half, direction, up), up};
    }
    case ConvexCore::Kind::kEllipsoid:
      return {ellipsoid_point(core.half, direction), 0};
  }
  return {Vector3d::Zero(), 0};
}

// Two cores, seen from A's frame: the same bits wherever in space the two stand.
struct CorePair {
  const ConvexCore& a;
  const ConvexCore& b;
  Matrix3d R;    // R_AB
  Vector3d p;    // p_AB
  double scale;  // the largest length in play: round-off is 1e-16 of it
  bool is_curved;

  CorePair(const ConvexCore& core_a, const ConvexCore& core_b)
      : a(core_a),
        b(core_b),
        R(core_a.R.transpose() * core_b.R),
        p(core_a.R.transpose() * (core_b.p - core_a.p)),
        is_curved(core_a.is_curved() || core_b.is_curved()) {
    scale = std::max(kSmallestLength, a.size + b.size + a.center.norm() + b.center.norm() + p.norm());
  }

  Vector3d center_difference() const { return p + R * b.center - a.center; }
};

// A point w of the set B - A of all differences. The signed distance is the largest, over all unit u, of the least
// u . w: with that u as normal.
struct DifferencePoint {
  Vector3d w;     // p + b - a
  Vector3d a, b;  // in A's axes, each from its own frame's origin: their differences have no round-off of p
  int piece_a, piece_b;

  bool is_same(const DifferencePoint& other) const { return piece_a == other.piece_a && piece_b == other.piece_b; }
};

// The difference that is least along u.
inline DifferencePoint support(const CorePair& pair, const Vector3d& u) {
  const CorePoint a = support(pair.a, u);
  const CorePoint b = support(pair.b, -(pair.R.transpose() * u));
  const Vector3d b_in_a = pair.R * b.position;
  return {pair.p + (b_in_a - a.position), a.position, b_in_a, a.piece, b.piece};
}

}  // namespace stickslip
