#pragma once

#include "stickslip/base/status.h"
#include "stickslip/state/state.h"

namespace stickslip {

// Ok if every number that a step starts from is finite; otherwise says which is not: users write into states.
Status check_input(const Model& model, const State& state);

}  // namespace stickslip
