#pragma once

#include <optional>

#include "stickslip/scene/urdf_link.h"

namespace stickslip {

struct UrdfJoint {
  Joint joint;
  Location parent_where, child_where;  // of the two names
  std::optional<Constraint> mimic;
};

UrdfJoint read_urdf_joint(const XmlElement& element, UrdfContext& context);

}  // namespace stickslip
