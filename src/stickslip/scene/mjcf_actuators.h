#pragma once

#include "stickslip/scene/mjcf_context.h"

namespace stickslip::mjcf {

// All <actuator> elements. Those with no counterpart here (on sites, bodies and cranks; muscles and controllers with
// several inputs) act on nothing, which is a warning, and keep their places: ctrl is MuJoCo's.
void read_actuators(Context& context, const XmlElement& root);

}  // namespace stickslip::mjcf
