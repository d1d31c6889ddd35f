#pragma once

#include "stickslip/scene/robot_context.h"

namespace stickslip {

constexpr double kWater = 1000;  // [kg/m^3], as MuJoCo and SDF assume

// The mass of a body that its file gives none: that of what collides, or else of what is seen, filled with something of
// this density. Zero if it has no such shapes, or if they enclose nothing. Warns of meshes that are not closed.
MassProperties inferred_mass(const Body& body, double density, RobotContext& context);

// To be called of what gives a body its mass.
void warn_of_open_mesh(const Geometry& geometry, const Body& body, RobotContext& context);

}  // namespace stickslip
