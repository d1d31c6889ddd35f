#pragma once

#include "stickslip/geometry/hull.h"

namespace stickslip {

// Fills climb_start of a large hull that has its climb_neighbors; does nothing to others.
void add_climb_start(Hull& hull);

}  // namespace stickslip
