#pragma once

#include "stickslip/scene/robot_context.h"

namespace stickslip {

// The mass of a body that its file gives none: that of what collides, or else of what is seen, filled with water. Zero
// if it has no such shapes, or if they enclose nothing.
MassProperties inferred_mass(const Body& body);

}  // namespace stickslip
