#pragma once

#include "stickslip/geometry/manifold.h"
#include "stickslip/geometry/support_faces.h"

namespace stickslip {

// Points of an overlap before it becomes a manifold.
struct OverlapPoints {
  static constexpr int kMax = 2 * kMaxFaceVertices;
  int count = 0;
  double perimeter = 0;                        // of the overlap seen along the normal
  std::array<ManifoldPoint, kMax + 1> points;  // room for one more
};

// Where a face of A and a face of B overlap, seen along `normal` (from A to B): the corners of the common polygon or
// segment, with weights that sum to one. Empty if they do not overlap, or if either is a point.
void overlap_faces(const SupportFace& a, const SupportFace& b, const Vector3d& normal, OverlapPoints& overlap);

// The corners of B's face over the plane through `origin`, which A fills.
void overlap_plane(const SupportFace& b, const Vector3d& origin, const Vector3d& normal, OverlapPoints& overlap);

}  // namespace stickslip
