#pragma once

#include <string>

#include "stickslip/scene/sdf_scope.h"

namespace stickslip::sdf {

// Replaces every <include> by the <model> of the file it names, with the name, pose and other things the <include>
// gives instead of the model's. Each such model keeps the version of its file as the attribute "version".
void expand_includes(XmlElement& root, SdfContext& context);

}  // namespace stickslip::sdf
