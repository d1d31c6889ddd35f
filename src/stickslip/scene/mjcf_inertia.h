#pragma once

#include "stickslip/scene/mjcf_context.h"

namespace stickslip::mjcf {

// An <inertial> element, in the body's frame.
MassProperties read_inertial(const XmlElement& element, const Compiler& compiler);

// Lower bounds and balancing that the compiler asks for; an inertia no matter can have is an error, or repaired with a
// warning where the context says so.
MassProperties repaired(const MassProperties& inertia, const Body& body, Context& context);

// settotalmass.
void scale_total_mass(Scene& scene, double total_mass);

}  // namespace stickslip::mjcf
