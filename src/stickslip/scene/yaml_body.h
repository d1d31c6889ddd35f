#pragma once

#include "stickslip/scene/yaml_context.h"
#include "stickslip/scene/yaml_map.h"

namespace stickslip {

// `jointed`: a joint of the file, other than a free one, has this body as its child. Then the joint places it, and it
// may be a point mass.
Body read_body(const YamlValue& value, const YamlContext& context, bool jointed);

}  // namespace stickslip
