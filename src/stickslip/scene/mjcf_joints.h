#pragma once

#include <string>
#include <vector>

#include "stickslip/scene/mjcf_context.h"

namespace stickslip::mjcf {

// A joint as the file says it: `pose` holds the anchor in the body's frame. X_BF is the frame it is written in.
Joint read_joint(Context& context, const MjcfElement& element, const Pose& X_BF);
Joint read_freejoint(const XmlElement& element);

// The range of an attribute pair such as range and limited, or unbounded: explicit, or by autolimits if there is one.
Range read_limits(const MjcfElement& element, const Compiler& compiler, std::string_view range,
                  std::string_view limited);

// The linear term of a stiffness or damping polynomial; a warning if there are quadratic or cubic ones.
double linear_coefficient(Context& context, const MjcfElement& element, std::string_view attribute);

// Time constant and damping ratio become stiffness and damping by the inertia the joint moves in the reference
// configuration. Call when all bodies have their inertia.
struct SpringDamper {
  std::size_t joint;
  double time_constant;
  double damping_ratio;
};
void resolve_spring_dampers(Context& context, const std::vector<SpringDamper>& requests);

// Positive numbers both: what springdamper="..." asks for.
std::optional<std::pair<double, double>> read_spring_damper(const MjcfElement& element);

}  // namespace stickslip::mjcf
