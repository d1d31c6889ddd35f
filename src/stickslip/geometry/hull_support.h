#pragma once

#include <array>

#include "stickslip/geometry/hull.h"

namespace stickslip {

// The faces of a hull that look along a direction, each with a share that varies with the direction by a bounded rate,
// however close to coplanar the faces are; and the vertices that are nearly farthest.
struct HullSupport {
  static constexpr int kMaxFaces = 256, kMaxVertices = 1024;
  int count;
  double point_share;  // of the farthest vertex by itself; with the faces' shares it makes one
  std::array<int, kMaxFaces> face;
  std::array<double, kMaxFaces> share;

  int vertex_count;
  std::array<int, kMaxVertices> vertex;  // the farthest comes first
  std::array<double, kMaxVertices> gap;  // by which each is less far
};

// `direction` is unit, in the hull's frame; at most `max_faces` <= kMaxFaces faces. The hull must have faces.
void find_hull_support(const Hull& hull, const Vector3d& direction, int max_faces, HullSupport& support);

}  // namespace stickslip
