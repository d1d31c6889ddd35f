#pragma once

#include <vector>

#include "stickslip/icf/problem.h"
#include "stickslip/math/block_slot.h"

namespace stickslip {

// Where the blocks of an island's Hessian are to be added, nodes and edges counted within the island.
struct BlockAssembly {
  std::vector<BlockSlot> diagonal, off_diagonal;
};

}  // namespace stickslip
