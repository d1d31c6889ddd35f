#pragma once

#include "stickslip/geometry/manifold.h"

namespace stickslip {

// The manifold of two boxes, one a rectangle to clip the other's face against: the most frequent contact of all. False,
// and nothing of use written, where faces are blended or do not overlap: the general way gives the same points.
bool box_box_manifold(const Placed& a, const Placed& b, const Separation& between, Manifold& manifold);

}  // namespace stickslip
