#pragma once

#include "stickslip/scene/mjcf_context.h"

namespace stickslip::mjcf {

// <contact>: pairs and exclusions.
void read_contacts(Context& context, const XmlElement& root);

}  // namespace stickslip::mjcf
