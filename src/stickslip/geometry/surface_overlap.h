#pragma once

#include <cstdint>
#include <vector>

#include "stickslip/geometry/body_faces.h"
#include "stickslip/geometry/surface_normals.h"

// Where a body's faces lie over a triangle of a surface.
namespace stickslip {

// How far a triangle may count beyond its edges, as a part of the body's size.
constexpr double kFadeBody = 0.05;

// A piece of the boundary of the overlap, or of the line or the point of contact. It counts by its measure: each end
// has half of its length, scaled by a ramp that fades it out where the triangle's surface goes on as another.
struct OverlapPart {
  int group = 0;              // what it belongs to, set by the caller
  int face = 0;               // of the body
  int edge = 0;               // of that face; -1: an edge of the triangle
  double start = 0, end = 0;  // along the face's edge, 0 to 1
  double length = 0;          // twice that of a line contact, whose two sides coincide
  Vector3d point[2];          // on the body
  double distance[2];         // along the normal, of that point from the surface
  double ramp[2];
  double doubt[2] = {0, 0};  // that it is as deep as it looks, 0 to 1
  std::uint64_t feature[2];
};

struct OverlapQuery {
  const SurfaceTriangle& triangle;
  const PushDirection& push;
  const BodyFaces& body;
  double body_scale;
  const SurfaceView& surface;
};

// Adds the parts of all faces of the body over the triangle. Parts along flat edges are left out: the neighbour goes on
// there, and together they are one overlap. Along ridges they count the more the sharper these are.
void add_overlap(const OverlapQuery& query, std::vector<OverlapPart>& parts);

}  // namespace stickslip
