#pragma once

#include "stickslip/scene/mjcf_context.h"

namespace stickslip::mjcf {

// connect, weld, joint and tendon; others are left out with a warning.
void read_equality(Context& context, const XmlElement& root);

}  // namespace stickslip::mjcf
