#pragma once

#include "stickslip/geometry/surface_fans.h"
#include "stickslip/geometry/surface_normals.h"

// Vertices where a surface falls away on all sides.
namespace stickslip {

struct PeakPush {
  int k = 0;  // which vertex of the triangle
  Vector3d normal = Vector3d::UnitZ();
  double distance = -std::numeric_limits<double>::infinity();
  double part = 0;  // how much it counts
};

// The peaks of a triangle, each looked for once.
//
// The normals of a peak are the directions along which none of its edges rises. The body is pushed along the one of
// them along which it is least deep: where the body's own best direction is none of them, that is one across an edge.
// So a face that tilts off a peak, until an edge of the ground rises beyond it, is pushed by that edge, and nothing
// appears or vanishes.
class TrianglePeaks {
 public:
  TrianglePeaks(const Placed& body, const SurfaceView& surface, const SurfaceTriangle& t, SurfaceFans& fans)
      : body_(body), surface_(surface), t_(t), fans_(fans) {}

  // Those at both ends of edge `edge`; their parts sum to one at most, and are zero if it is none.
  std::array<PeakPush, 2> best(int edge, const Vector3d& ridge_normal);

 private:
  struct Peak {
    bool is_known = false;
    bool rises = false;  // an edge of it, beyond the triangle
    PeakPush push;       // of the peak alone
  };

  PeakPush push_of(int k, const Vector3d& ridge_normal);

  const Placed& body_;
  const SurfaceView& surface_;
  const SurfaceTriangle& t_;
  SurfaceFans& fans_;
  std::array<Peak, 3> peak_;
};

}  // namespace stickslip
