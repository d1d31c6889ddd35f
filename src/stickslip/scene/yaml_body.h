#pragma once

#include "stickslip/scene/yaml_context.h"
#include "stickslip/scene/yaml_map.h"

namespace stickslip {

// What the file's joints make of a body.
struct BodyJoints {
  bool on_joint = false;  // it is the child of one that is not free: the joint places it, and it may be a point mass
  bool carries = false;   // it is the parent of one: it may be without matter of its own
};
Body read_body(const YamlValue& value, const YamlContext& context, const BodyJoints& joints,
               std::vector<Warning>& warnings);

}  // namespace stickslip
