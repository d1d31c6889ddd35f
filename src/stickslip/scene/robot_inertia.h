#pragma once

#include <string>

#include "stickslip/scene/robot_context.h"

namespace stickslip {

// Files hold inertias that belong to no real matter. A negative principal moment, with which kinetic energy could be
// negative, is repaired: the nearest tensor that matter can have, with a warning "repaired-inertia". A moment above the
// sum of the others does no harm and is used as it is, as in other engines, with a warning "unphysical-inertia".
void repair_inertia(MassProperties& at_center, const Location& where, const std::string& owner, RobotContext& context);

}  // namespace stickslip
