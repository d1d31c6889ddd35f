#pragma once

#include <array>

#include "stickslip/geometry/collider.h"
#include "stickslip/geometry/surface_fans.h"

// In which direction a surface of triangles pushes a convex body away.
namespace stickslip {

constexpr double kSameAngle = 1e-9;  // [rad] directions closer than this are one

// A direction in which a triangle pushes the body.
struct PushDirection {
  enum class Feature { kFace, kEdge, kVertex };
  Feature feature = Feature::kFace;
  int k = 0;  // which edge or vertex of the triangle
  Vector3d normal = Vector3d::UnitZ();
  // How much the overlap with the triangle counts, 0 to 1. A triangle beyond a ridge that is nearly flat counts as part
  // of the face that pushes; beyond a sharp one it does not.
  double share = 1;
  // How much its ridge or peak itself counts: of two triangles that meet at a ridge these sum to one, and the one along
  // whose own normal the body is pushed has all.
  double ridge_share = 1;
  // How much the overlap's boundary along each edge counts, if that is a ridge: it is the neighbour's boundary too.
  std::array<double, 3> side_share = {1, 1, 1};
  double part = 1;  // of the triangle's whole push that goes this way; all shares are scaled by it
};

// A push along n, a normal of the triangle, of one of its ridges or of one of its peaks. The shares depend on n alone,
// continuously, whatever the feature that pushes.
PushDirection push_along(const SurfaceTriangle& triangle, PushDirection::Feature feature, int k, const Vector3d& n);

struct PushDirections {
  int count = 0;
  std::array<PushDirection, 9> push;
};

// A triangle may push along its normal. At an edge where the surface falls away it may push along all normals from its
// own to the neighbour's, at a peak along all that are not steeper than the edges there: these are the normals of the
// surface. It may not push along others, which a body that meets the triangle alone could have: those of edges that are
// only there because the surface is made of triangles. Of those allowed it pushes along the one along which the body is
// least deep. Where a corner of the body pierces the surface next to a ridge, both sides are, and it pushes both ways.
// `body` is in the surface's frame; directions are found for `lifted`, the same or a little farther out. A triangle
// that is farther away than `room` has no ridges and peaks that count.
void find_push_directions(const Placed& body, const Placed& lifted, const SurfaceView& surface,
                          const SurfaceTriangle& triangle, double room, SurfaceFans& fans, PushDirections& out);

// How much the first of two directions counts if both are better than what is between: a corner of the body is in the
// surface near the ridge, or just outside. They change over where the body is equally deep along both, over the breadth
// in which a corner of that depth is on neither side for certain.
double first_share(double first_distance, double second_distance, double cosine_between);

// How flat an edge is, from 1 (the same plane) to 0 (a ridge of kSharpAngle or more, a border).
double flatness(const SurfaceTriangle& triangle, int edge);

}  // namespace stickslip
