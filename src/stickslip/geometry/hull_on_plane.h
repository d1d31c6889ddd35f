#pragma once

#include "stickslip/geometry/manifold.h"

namespace stickslip {

// A hull with faces on the plane of a half-space through `origin`. The normal points out of the half-space.
void hull_on_plane(const Placed& placed, const Vector3d& origin, const Vector3d& normal, Manifold& manifold);

}  // namespace stickslip
