#pragma once

#include "stickslip/geometry/surface_query.h"

// Seen along a triangle's normal alone, a body far behind it looks deep. How near it really is.
namespace stickslip {

// Of a body from a triangle of a mesh; 0 if it touches.
double sheet_distance(const SurfaceQuery& query, const SurfaceTriangle& t);

// Judges the parts of a triangle's overlap, from `first` on: in a terrain at once, on a mesh when all of them are
// known.
void doubt_parts(const SurfaceQuery& query, const SurfaceTriangle& t, const Vector3d& normal, std::size_t first,
                 int sheet);
void judge_on_mesh(const SurfaceQuery& query);

}  // namespace stickslip
