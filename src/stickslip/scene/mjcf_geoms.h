#pragma once

#include <string>

#include "stickslip/scene/mjcf_context.h"

namespace stickslip::mjcf {

struct Geom {
  Geometry geometry;
  MassProperties inertia;  // in the body's frame; none for planes, height fields and groups left out by the compiler
};

// A <geom>; X_BF is the frame it is written in.
Geom read_geom(Context& context, const MjcfElement& element, const Pose& X_BF);

// What the element itself gives as size and pose, from size and fromto.
struct Placement {
  std::array<double, 3> size{0, 0, 0};  // MuJoCo's: radii and half lengths
  Pose pose;
};
Placement read_placement(const MjcfElement& element, const Compiler& compiler, const std::string& type);

}  // namespace stickslip::mjcf
