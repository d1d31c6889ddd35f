#pragma once

#include <array>
#include <cstdint>

#include "stickslip/geometry/collider.h"

// The flat pieces of a shape's surface that look along a direction: what can rest on another shape.
namespace stickslip {

// Left uninitialised: arrays of them are scratch.
struct SupportFace {
  int count;      // 1: a point, 2: a segment, 3 or more: a convex polygon, counter-clockwise seen from outside
  double share;   // of all faces of a SupportFaces: they sum to one
  double width;   // a segment on a curved side: half the breadth that counts as its contact, for near-parallel ones
  bool is_flat;   // to round-off: its vertices' heights are those of the plane
  bool is_round;  // eight vertices, evenly on a circle about `center`, which is the face's border
  Vector3d center;
  Vector3d normal;          // of the polygon's plane, outward, unit; of segments and points: the direction
  const Vector3d* vertex;   // `count` of them, no more than kMaxFaceVertices
  const std::uint16_t* id;  // of the shape's vertex, the same in every face that has it
};

// Mostly one. Near the direction where the best face changes, the candidates are blended by shares that vary
// continuously with the direction, so that a body rolling from one face to the next feels no jolt. The flat side of a
// scanned object can be a hundred facets that are nearly level with each other.
struct SupportFaces {
  static constexpr int kMax = 128, kMaxVertices = 1024;
  int count = 0, vertex_count = 0;
  std::array<SupportFace, kMax> face;
  std::array<Vector3d, kMaxVertices> vertex;  // of all faces, one after the other
  std::array<std::uint16_t, kMaxVertices> id;

  SupportFaces() {}                            // NOLINT(modernize-use-equals-default): the arrays stay as they are
  SupportFaces(const SupportFaces&) = delete;  // faces point into it
  SupportFaces& operator=(const SupportFaces&) = delete;

  // A face without vertices, which add_vertex appends to it.
  SupportFace& add_face(double share, const Vector3d& normal);
  void add_vertex(const Vector3d& point, int vertex_id);
};

// The tilt [rad] from which on the points of a disc turn with its lowest one.
constexpr double kTiltedDisc = 1e-5;
// The same for a disc that overlaps a plane by `depth`: one that lifts its rim by a part of it, since whichever points
// push, uncut they push alike as long as all of them do.
double tilted_disc(const Collider& cylinder, double depth);

// `direction` is unit and points out of the shape. Convex shapes only.
void support_faces(const Placed& placed, const Vector3d& direction, SupportFaces& faces, double tilted = kTiltedDisc);

// The same for what lies on a plane.
void support_faces_on_plane(const Placed& placed, const Vector3d& direction, SupportFaces& faces);

// Appends the faces of a hull that are already found, without the point that may belong to them.
struct HullSupport;
void add_hull_faces(const Placed& placed, const HullSupport& support, SupportFaces& faces);

// Whether more than one face of a box is a candidate; d is the direction in its frame.
bool is_blended_box(const Vector3d& d);

}  // namespace stickslip
