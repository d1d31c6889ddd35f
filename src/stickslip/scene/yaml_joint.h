#pragma once

#include "stickslip/scene/yaml_context.h"
#include "stickslip/scene/yaml_map.h"

namespace stickslip {

Joint read_joint(const YamlValue& value, const YamlContext& context);

// nq and nv of a joint type.
int position_size(JointType type);
int velocity_size(JointType type);

}  // namespace stickslip
