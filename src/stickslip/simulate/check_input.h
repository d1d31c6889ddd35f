#pragma once

#include "stickslip/base/status.h"
#include "stickslip/state/state.h"

namespace stickslip {

// Ok if a step can start from every number; otherwise says which is none, or beyond its bounds (model/bounds.h): users
// write into states. `last` is known to be good.
Status check_input(const Model& model, const State& state, const State& last);

// Ok if a step from `state` left numbers that the next can start from.
Status check_result(const Model& model, const State& state, const State& next);

// Whether time, q, v and mocap are within bounds. Their sizes must be the model's.
bool is_state(const Model& model, const State& state);
// If not: std::invalid_argument.
void require_state(const Model& model, const State& state);

}  // namespace stickslip
