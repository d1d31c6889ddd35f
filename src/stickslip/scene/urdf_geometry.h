#pragma once

#include "stickslip/scene/urdf_link.h"

namespace stickslip {

// A <visual> or <collision>. Nothing, with a warning, if its mesh is missing or cannot be read: the robot still loads.
std::optional<Geometry> read_urdf_geometry(const XmlElement& element, const std::string& link, bool collides,
                                           UrdfContext& context);

}  // namespace stickslip
