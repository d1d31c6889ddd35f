#pragma once

#include "stickslip/geometry/surface_query.h"

namespace stickslip {

// The safety net. Deep inside, a body can be where no triangle sees it along its normal: below a valley, say. Then the
// triangle among those it really touches along whose normal it is least deep pushes at its deepest point.
void complete_points(const SurfaceQuery& query);

}  // namespace stickslip
