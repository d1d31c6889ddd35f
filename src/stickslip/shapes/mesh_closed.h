#pragma once

#include "stickslip/shapes/shape.h"

namespace stickslip {

// Whether the triangles enclose a volume: each of their edges is met by as many triangles from one side as from the
// other. Vertices at the same place count as one.
bool is_closed(const Mesh& mesh);

}  // namespace stickslip
