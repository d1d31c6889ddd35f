#pragma once

#include "stickslip/geometry/manifold.h"

namespace stickslip {

// The separating axis with the least overlap (or, if `gap` > 0, the widest gap).
struct BoxAxis {
  double gap = 0;
  Vector3d normal = Vector3d::UnitZ();  // from A to B; means nothing where the gap exceeds the limit
};
BoxAxis box_box_axis(const Placed& a, const Placed& b, double limit);

// The manifold of two boxes, one a rectangle to clip the other's face against: the most frequent contact of all. False,
// and nothing of use written, where faces are blended or hardly overlap: the general way gives the same points.
bool box_box_manifold(const Placed& a, const Placed& b, const Vector3d& normal, Manifold& manifold);

}  // namespace stickslip
