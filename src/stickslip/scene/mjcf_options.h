#pragma once

#include "stickslip/scene/mjcf_context.h"

namespace stickslip::mjcf {

// <option> and its <flag>: gravity, time step, and parts of physics switched off. Call when the scene is complete.
void apply_options(Context& context, const XmlElement& root);

// <keyframe>. Call when the scene is complete.
void read_keyframes(Context& context, const XmlElement& root);

}  // namespace stickslip::mjcf
