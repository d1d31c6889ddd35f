#pragma once

#include "stickslip/geometry/simplex.h"

namespace stickslip {

// The direction along which two cores overlap least, or, if they are just apart, along which a plane between them has
// most room.
struct LeastOverlap {
  Vector3d normal = Vector3d::UnitZ();  // unit, from A to B
  double distance = 0;                  // negative: overlap
  Simplex
      simplex;  // up to three points of B - A in the plane perpendicular to the normal; weighted: the touching point
};

// The expanding polytope algorithm, from the simplex in which find_nearest ended. Curved cores are only approached
// until the overlap is known up to `curved_gap`, as a share of the scale.
void find_least_overlap(const CorePair& pair, const Simplex& start, double curved_gap, LeastOverlap& result);

}  // namespace stickslip
