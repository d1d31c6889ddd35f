#pragma once

#include "stickslip/scene/yaml_context.h"
#include "stickslip/scene/yaml_map.h"

namespace stickslip {

Geometry read_geometry(const YamlValue& value, const std::string& body, const YamlContext& context);

}  // namespace stickslip
