#pragma once

#include <string>

#include "stickslip/scene/sdf_scope.h"

namespace stickslip::sdf {

// Adds the material that a <collision>'s <surface> describes, unless the scene has the same already, and uses it for
// the geometry; masks of what collides too.
void read_surface(const XmlElement& collision, SdfContext& context, Geometry& geometry, Scene& scene);

}  // namespace stickslip::sdf
