#pragma once

#include <vector>

#include "stickslip/math/types.h"

namespace stickslip {

// The corners of the convex hull of points that lie (about) in a plane, as indices into `points`, counter-clockwise
// seen from where `normal` points. A point closer than `tolerance` to the straight line between two corners is none.
// `subset` says which points count.
std::vector<int> flat_hull(const std::vector<Vector3d>& points, std::vector<int> subset, const Vector3d& normal,
                           double tolerance);

}  // namespace stickslip
