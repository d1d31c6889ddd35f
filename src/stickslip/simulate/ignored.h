#pragma once

#include <string>
#include <vector>

#include "stickslip/model/model.h"

namespace stickslip {

// What the model describes and a method without contact and constraints does not act on: said once, never dropped in
// silence.
std::vector<Warning> ignored_by_smooth_methods(const Model& model, const std::string& method);

}  // namespace stickslip
