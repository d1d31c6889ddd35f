#include "stickslip/scene/robot_inertia.h"

#include <fmt/format.h>

#include <algorithm>

namespace stickslip {
namespace {

constexpr double kRoundOff = 1e-6;  // relative, of numbers written with six digits

// The closest moments (in the sum of squares) that are not negative, then none above the sum of the others.
Vector3d nearest_physical(Vector3d moments) {
  moments = moments.cwiseMax(0);
  std::sort(moments.begin(), moments.end());
  const double excess = moments[2] - moments[0] - moments[1];
  if (excess > 0) moments += Vector3d(excess / 3, excess / 3, -excess / 3);
  return moments;
}

}  // namespace

void repair_inertia(MassProperties& at_center, const Location& where, const std::string& owner, RobotContext& context) {
  if (is_physical(at_center.inertia)) return;
  const PrincipalInertia principal = principal_inertia(at_center.inertia);
  const bool harmless = principal.moments[0] >= -kRoundOff * principal.moments.cwiseAbs().maxCoeff();
  if (harmless || !context.options.repair) {
    context.warn("unphysical-inertia", where,
                 fmt::format("inertia of {} belongs to no real matter (a principal moment is {}); used as it is", owner,
                             harmless ? "above the sum of the others" : "negative"));
    return;
  }
  const Vector3d moments = nearest_physical(principal.moments);
  at_center.inertia = principal.axes * moments.asDiagonal() * principal.axes.transpose();
  context.warn(
      "repaired-inertia", where,
      fmt::format("inertia of {} has a negative principal moment {:.3g}; taken are the moments {:.3g}, {:.3g}, "
                  "{:.3g}, the nearest that matter can have",
                  owner, principal.moments[0], moments[0], moments[1], moments[2]));
}

}  // namespace stickslip
