#pragma once

#include "stickslip/scene/mjcf_context.h"

namespace stickslip::mjcf {

// All <actuator> elements. Those with no counterpart here (on sites, bodies and cranks; muscles and controllers with
// several inputs) are left out with a warning; context.actuator_inputs says which.
void read_actuators(Context& context, const XmlElement& root);

}  // namespace stickslip::mjcf
