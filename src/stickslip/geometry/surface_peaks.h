#pragma once

#include "stickslip/geometry/surface_fans.h"
#include "stickslip/geometry/surface_normals.h"

// Vertices where a surface falls away on all sides.
namespace stickslip {

struct PeakPush {
  PushDirection push;
  double distance = -std::numeric_limits<double>::infinity();
  double part = 0;  // how much it counts
};

// The peaks at both ends of edge `edge`; their parts sum to one at most, and are zero if it is none.
//
// The normals of a peak are the directions along which none of its edges rises. The body is pushed along the one of
// them along which it is least deep: where the body's own best direction is none of them, that is one across an edge.
// So a face that tilts off a peak, until an edge of the ground rises beyond it, is pushed by that edge, and nothing
// appears or vanishes.
std::array<PeakPush, 2> best_peaks(const Placed& body, const SurfaceView& surface, const SurfaceTriangle& t, int edge,
                                   const Vector3d& ridge_normal, SurfaceFans& fans);

}  // namespace stickslip
