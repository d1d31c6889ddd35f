#pragma once

#include "stickslip/geometry/surface_query.h"

namespace stickslip {

// Every triangle that pushes adds the parts of its overlap to a patch: fills parts and patches of the workspace.
void gather_overlaps(const SurfaceQuery& query);

}  // namespace stickslip
