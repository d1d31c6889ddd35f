#pragma once

#include "stickslip/scene/mjcf_context.h"

namespace stickslip::mjcf {

// All <worldbody> elements: bodies, joints, geoms and sites, in MuJoCo's order.
void read_bodies(Context& context, const XmlElement& root);

}  // namespace stickslip::mjcf
