#pragma once

#include <optional>
#include <vector>

#include "stickslip/scene/sdf_scope.h"

namespace stickslip::sdf {

// A <joint> between two bodies of the scene, with everything known but which of them carries the other.
struct SdfJoint {
  Joint joint;  // parent and child as the file says
  std::size_t parent = 0, child = 0;
  Pose X_WJ;
  std::optional<Constraint> mimic;
};

// Nothing, with a warning, for types that are not supported.
std::optional<SdfJoint> read_joint(const XmlElement& element, const Scope& scope, Scopes& scopes, SdfContext& context,
                                   const Scene& scene);

}  // namespace stickslip::sdf
