#pragma once

#include <vector>

#include "stickslip/model/model.h"

namespace stickslip {

// One for each constraint that is open where the model starts, or in one of its keyframes: how far, and how it closes.
// Springs are not meant, nor what is off by the digits of a file.
std::vector<Warning> warnings_of_start_gaps(const Model& model);

}  // namespace stickslip
