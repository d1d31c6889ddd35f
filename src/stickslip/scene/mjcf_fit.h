#pragma once

#include <array>
#include <string>

#include "stickslip/scene/mjcf_context.h"

namespace stickslip::mjcf {

struct FittedShape {
  std::array<double, 3> size;  // MuJoCo's: radii and half lengths
  Pose pose;                   // of the primitive, in the mesh's coordinates
};

// The primitive of this type with about the mesh's inertia, or (compiler fitaabb) that contains its bounding box; both
// in the mesh's principal axes, the longest of which is z.
FittedShape fit_to_mesh(Context& context, const MjcfElement& element, const std::string& type, const std::string& mesh);

}  // namespace stickslip::mjcf
