#pragma once

#include <array>
#include <map>
#include <set>
#include <string>

#include "stickslip/scene/robot_context.h"
#include "stickslip/scene/robot_mass.h"

namespace stickslip {

struct UrdfContext : RobotContext {
  UrdfContext() : RobotContext("URDF") {}

  std::map<std::string, std::array<double, 4>> colors;  // by the material's name
  std::set<std::string> colorless;                      // materials that were warned of
};

struct UrdfLink {
  Body body;
  double density = kWater;  // [kg/m^3] of what has no other mass
};

UrdfLink read_link(const XmlElement& element, UrdfContext& context);

// A <material> with a colour; remembered by its name if it has one.
std::optional<std::array<double, 4>> read_color(const XmlElement& material, UrdfContext& context);

// The <origin> child of an element: fixed-axis roll, pitch, yaw. Identity if there is none.
Pose read_origin(const XmlElement& element);

}  // namespace stickslip
