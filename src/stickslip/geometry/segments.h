#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

struct Segment {
  Vector3d center;
  Vector3d axis;  // unit
  double half_length = 0;

  Vector3d at(double t) const { return center + t * axis; }
};

// Where two segments come nearest: positions along their axes, measured from the centres.
struct SegmentPoints {
  double t_a = 0, t_b = 0;
};
SegmentPoints nearest_points(const Segment& a, const Segment& b);

// A unit normal for segments that cross: perpendicular to both, towards b's centre where that means something.
Vector3d common_normal(const Segment& a, const Segment& b);

}  // namespace stickslip
