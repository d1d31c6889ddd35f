#pragma once

#include "stickslip/geometry/surface_normals.h"

// Vertices where a surface falls away on all sides.
namespace stickslip {

struct PeakPush {
  PushDirection push;
  double distance = -std::numeric_limits<double>::infinity();
  double part = 0;  // how much it counts; less than one where an edge rises a little beyond the direction
};

// The peaks at both ends of edge `edge`; their parts sum to one at most, and are zero if it is none. Under the rim of a
// flat face the nearest side of the body is another than the face, so that is asked too.
std::array<PeakPush, 2> best_peaks(const Placed& body, const SurfaceView& surface, const SurfaceTriangle& t, int edge,
                                   const Vector3d& ridge_normal);

// The share of each normal of a fan (in order round a peak) of the direction n inside it: mean value coordinates
// (Floater 2003) of n in the polygon of normals, drawn on the plane with angles from n as lengths. On the arc between
// two neighbours they are linear in the angle.
struct Fan {
  static constexpr int kMax = 256;
  int count = 0;
  std::array<Vector3d, kMax> normal;
};
void fan_shares(const Fan& fan, const Vector3d& n, std::array<double, Fan::kMax>& share);

}  // namespace stickslip
