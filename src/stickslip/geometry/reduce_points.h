#pragma once

#include "stickslip/geometry/manifold.h"

namespace stickslip {

// Corners that two blended faces share are one point, up to round-off.
bool is_same_point(const ManifoldPoint& a, const ManifoldPoint& b);

// Merges points until at most `limit` remain, in place; returns how many. Two points that both overlap become one that
// carries the same force at the same place, so neither the force nor the moment of the contact changes; of two that
// are apart the nearer stays. Of all pairs the two that spread the least about their common place are merged first, by
// weight and distance. The deepest point is left alone, and an overlapping and a separated one are never merged.
// limit >= 4.
int reduce_points(ManifoldPoint* points, int count, int limit);

// The same for a manifold. Four points are not the nearest ones merged but, with the deepest, those that span as much
// of the support polygon as four can; they carry the weights of the others, so that force and moment change.
void reduce_points(Manifold& manifold, int limit);

}  // namespace stickslip
