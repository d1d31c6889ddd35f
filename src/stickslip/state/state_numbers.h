#pragma once

#include <optional>
#include <span>
#include <vector>

#include "stickslip/state/state.h"

namespace stickslip {

// All of a state as one row of numbers, for files, and back: time, step size, then the count and the numbers of each of
// q, v, ctrl, z, mocap and the grips, and of the memory of energy if there is one.
std::vector<double> to_numbers(const State& state);
std::optional<State> state_from_numbers(std::span<const double> numbers);  // none: they are not a state

}  // namespace stickslip
