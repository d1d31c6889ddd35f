#include "stickslip/scene/mjcf_joints.h"
#include "stickslip/scene/mjcf_reflected.h"

namespace stickslip::mjcf {

void resolve_spring_dampers(Context& context, const std::vector<SpringDamper>& requests) {
  if (requests.empty()) return;
  ReflectedInertia reflected(context);
  for (const SpringDamper& request : requests) {
    Joint& joint = context.scene.joints[request.joint];
    const double inertia = reflected.along({{request.joint, 1.0}});
    const double rate = 1 / (request.time_constant * request.damping_ratio);
    joint.stiffness = inertia * rate * rate;
    joint.damping = 2 * inertia / request.time_constant;
  }
}

}  // namespace stickslip::mjcf
