#pragma once

#include <optional>

#include "stickslip/scene/sdf_scope.h"

namespace stickslip::sdf {

// The shape of a <geometry> and where it stands in the frame of the <collision> or <visual>. Nothing, with a warning
// where one is due, if there is none: <empty>, missing meshes and shapes that are not supported.
struct PlacedShape {
  Shape shape;
  Pose pose;
};
std::optional<PlacedShape> read_shape(const XmlElement& geometry, bool collides, const std::string& owner,
                                      SdfContext& context);

}  // namespace stickslip::sdf
