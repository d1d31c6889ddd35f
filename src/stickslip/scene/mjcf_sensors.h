#pragma once

#include "stickslip/scene/mjcf_context.h"

namespace stickslip::mjcf {

// Lists them.
void read_sensors(Context& context, const XmlElement& root);

}  // namespace stickslip::mjcf
