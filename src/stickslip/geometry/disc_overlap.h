#pragma once

#include "stickslip/geometry/face_overlap.h"

namespace stickslip {

// A disc and a polygon or another disc, whose normal is `outward` as seen from the first. The points are
// - the corners of the common area on the polygon's border. Each has half of its straight edges.
// - eight points of each rim. Each has what is common of the rim around it, weighted from one down to zero at the next
//   point, and sits in the middle of that: it moves along the rim when that is cut, and has no weight when nothing is
//   left.
// All of these are integrals over the border, so they vary continuously with the poses.
void overlap_disc(const SupportFace& disc, const SupportFace& other, const Vector3d& outward, bool disc_is_a,
                  OverlapPoints& overlap);

}  // namespace stickslip
