#pragma once

#include "stickslip/scene/robot_context.h"

namespace stickslip {

// The mass of a body that its file gives none: that of what collides, or else of what is seen, filled with water. Zero
// if it has no such shapes, or if they enclose nothing. Warns of meshes that are not closed.
MassProperties inferred_mass(const Body& body, RobotContext& context);

// To be called of what gives a body its mass.
void warn_of_open_mesh(const Geometry& geometry, const Body& body, RobotContext& context);

}  // namespace stickslip
