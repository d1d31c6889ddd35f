#pragma once

#include <array>
#include <cstdint>

#include "stickslip/geometry/collider.h"

// The flat pieces of a shape's surface that look along a direction: what can rest on another shape.
namespace stickslip {

struct SupportFace {
  int count = 0;     // 1: a point, 2: a segment, 3 or more: a convex polygon, counter-clockwise seen from outside
  double share = 0;  // of all faces of a SupportFaces: they sum to one
  double width = 0;  // a segment on a curved side: half the breadth that counts as its contact, for near-parallel ones
  bool is_round = false;  // eight vertices, evenly on a circle about `center`, which is the face's border
  Vector3d center;
  Vector3d normal;  // of the polygon's plane, outward, unit; of segments and points: the direction
  std::array<Vector3d, kMaxFaceVertices> vertex;
  std::array<std::uint16_t, kMaxFaceVertices> id;  // of the shape's vertex, the same in every face that has it
};

// Mostly one. Near the direction where the best face changes, the candidates are blended by shares that vary
// continuously with the direction, so that a body rolling from one face to the next feels no jolt.
struct SupportFaces {
  static constexpr int kMax = 6;
  int count = 0;
  std::array<SupportFace, kMax> face;
};

// `direction` is unit and points out of the shape. Convex shapes only.
void support_faces(const Placed& placed, const Vector3d& direction, SupportFaces& faces);

// The same for what lies on a plane.
void support_faces_on_plane(const Placed& placed, const Vector3d& direction, SupportFaces& faces);

// Whether more than one face of a box is a candidate; d is the direction in its frame.
bool is_blended_box(const Vector3d& d);

}  // namespace stickslip
