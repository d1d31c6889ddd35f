#include "stickslip/scene/robot_inertia.h"

#include <fmt/format.h>

namespace stickslip {

void repair_inertia(MassProperties& at_center, const Location& where, const std::string& owner, RobotContext& context) {
  if (is_physical(at_center.inertia)) return;
  const PrincipalInertia principal = principal_inertia(at_center.inertia);
  if (!context.options.repair) {
    context.warn("unphysical-inertia", where,
                 fmt::format("inertia of {} belongs to no real matter (a principal moment is {}); used as it is", owner,
                             principal.moments[0] < 0 ? "negative" : "above the sum of the others"));
    return;
  }
  at_center.inertia = nearest_inertia(principal);
  context.warn("repaired-inertia", where, describe_repair(owner, principal.moments));
}

Matrix3d nearest_inertia(const PrincipalInertia& principal) {
  const Vector3d moments = nearest_physical_moments(principal.moments);
  return principal.axes * moments.asDiagonal() * principal.axes.transpose();
}

std::string describe_repair(const std::string& owner, const Vector3d& moments) {
  const Vector3d taken = nearest_physical_moments(moments);
  return fmt::format(
      "inertia of {} belongs to no real matter (principal moments {:.3g}, {:.3g}, {:.3g}); taken are {:.3g}, "
      "{:.3g}, {:.3g} kg m^2, the nearest that matter can have",
      owner, moments[0], moments[1], moments[2], taken[0], taken[1], taken[2]);
}

}  // namespace stickslip
