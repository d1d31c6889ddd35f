#pragma once

#include "stickslip/scene/mjcf_context.h"

namespace stickslip::mjcf {

// Fixed tendons; spatial ones are left out with a warning.
void read_tendons(Context& context, const XmlElement& root);

}  // namespace stickslip::mjcf
