#pragma once

#include "stickslip/icf/block_assembly.h"
#include "stickslip/icf/patch_motion.h"

namespace stickslip {

// Adds J' G J of one patch to the blocks of its nodes.
void add_patch_blocks(const Problem& problem, const Island& island, const Patch& patch, const PatchHessian& G,
                      BlockAssembly& H);

}  // namespace stickslip
