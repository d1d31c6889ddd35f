#pragma once

#include <vector>

#include "stickslip/scene/mjcf_compiler.h"
#include "stickslip/scene/scene.h"

namespace stickslip::mjcf {

// An <asset><hfield>: elevation attribute, MuJoCo's binary file, or flat. Heights are scaled to lie between 0 and the
// asset's elevation, as MuJoCo does. PNG files are not read: the field is flat, with a warning.
HeightField load_height_field(const XmlElement& element, const Compiler& compiler, std::vector<Warning>& warnings);

}  // namespace stickslip::mjcf
