#pragma once

#include <vector>

#include "stickslip/icf/problem.h"
#include "stickslip/math/block_slot.h"
#include "stickslip/math/pack.h"

namespace stickslip {

// Four columns of a tree's Jacobian side by side.
struct FourColumns {
  PackVector linear, angular;
  bool adjoin = false;  // all four are there, and their degrees of freedom follow each other
};

// Where the blocks of an island's Hessian are to be added, nodes and edges counted within the island.
struct BlockAssembly {
  std::vector<BlockSlot> diagonal, off_diagonal;
  std::vector<FourColumns> columns;  // memory of add_patch_blocks
};

}  // namespace stickslip
