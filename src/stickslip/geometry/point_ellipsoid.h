#pragma once

#include <optional>

#include "stickslip/math/types.h"

namespace stickslip {

// The unit normal, outward, of an ellipsoid where it is nearest to a point, in its own frame. Nothing where the point
// is so near the middle that there is no single nearest place, or round-off would choose it.
std::optional<Vector3d> nearest_normal(const Vector3d& radii, const Vector3d& point);

}  // namespace stickslip
