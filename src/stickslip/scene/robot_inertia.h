#pragma once

#include <string>

#include "stickslip/scene/robot_context.h"

namespace stickslip {

// Files hold inertias that belong to no real matter: a principal moment is negative, with which kinetic energy could be
// negative, or above the sum of the others, which happens to numbers that were rounded or guessed. They become the
// nearest tensor that matter can have, with a warning "repaired-inertia"; where nothing is to be repaired they are used
// as they are, with a warning "unphysical-inertia".
void repair_inertia(MassProperties& at_center, const Location& where, const std::string& owner, RobotContext& context);

Matrix3d nearest_inertia(const PrincipalInertia& principal);
// For the warning: what is taken instead of these principal moments.
std::string describe_repair(const std::string& owner, const Vector3d& moments);

}  // namespace stickslip
