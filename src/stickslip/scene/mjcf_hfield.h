#pragma once

#include "stickslip/scene/mjcf_compiler.h"
#include "stickslip/scene/scene.h"

namespace stickslip::mjcf {

// An <asset><hfield>: elevation attribute, PNG image, MuJoCo's binary file, or flat. Heights are scaled to lie between
// 0 and the asset's elevation, as MuJoCo does.
HeightField load_height_field(const XmlElement& element, const Compiler& compiler);

// The box that MuJoCo takes a height field for where a body's mass is asked for: about the middle of its ground plane,
// as high as half of the elevation and the base together.
Box height_field_box(const XmlElement& element);

}  // namespace stickslip::mjcf
