#pragma once

#include "stickslip/geometry/smooth_refine.h"

namespace stickslip {

// A point (the middle of a sphere) and a hull with an inside: the way out is through the plane that is nearest. False
// if the pair is of another kind, or the point is not inside.
bool find_way_out(const CorePair& pair, Gap& gap);

}  // namespace stickslip
