#pragma once

#include "stickslip/geometry/surface_query.h"

namespace stickslip {

// Shares of the pair's stiffness, by how much of each patch is there.
void weigh_patches(const SurfaceQuery& query);

}  // namespace stickslip
