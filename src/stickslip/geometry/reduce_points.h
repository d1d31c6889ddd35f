#pragma once

#include "stickslip/geometry/manifold.h"

namespace stickslip {

// Merges points until at most `limit` remain, in place; returns how many. Two points that both overlap become one that
// carries the same force at the same place, so neither the force nor the moment of the contact changes; of two that
// are apart the nearer stays. The deepest point is left alone, and an overlapping and a separated one are never merged.
// limit >= 4.
int reduce_points(ManifoldPoint* points, int count, int limit);

// The same down to four, of which one is the deepest, that span as much of the support polygon as four points can.
int reduce_to_support(const Vector3d& normal, ManifoldPoint* points, int count);

}  // namespace stickslip
