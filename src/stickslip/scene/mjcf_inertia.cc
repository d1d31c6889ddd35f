#include "stickslip/scene/mjcf_inertia.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stickslip/scene/robot_inertia.h"

namespace stickslip::mjcf {
namespace {

Matrix3d full_inertia(const std::vector<double>& v) {  // xx, yy, zz, xy, xz, yz
  return (Matrix3d() << v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2]).finished();
}

// Relative to the largest moment. MuJoCo's tests have no slack; round-off of our own must not refuse a flat body.
constexpr double kRoundOff = 1e-10;

}  // namespace

MassProperties read_inertial(const XmlElement& element, const Compiler& compiler) {
  const MjcfElement view(element);
  if (!element.has("pos")) element.required_text("pos");
  MassProperties out;
  out.mass = element.required_number("mass");
  out.center = element.vector3("pos", Vector3d::Zero());
  const Matrix3d rotation = read_rotation(view, compiler);
  if (const auto full = element.numbers("fullinertia", 6, 6)) {
    out.inertia = rotation * full_inertia(*full) * rotation.transpose();
  } else if (const auto diagonal = element.vector3("diaginertia")) {
    out.inertia = rotation * diagonal->asDiagonal() * rotation.transpose();
  } else {
    element.required_text("diaginertia");
  }
  if (out.mass < 0) {
    throw ModelError("negative-mass", element.where("mass"), "mass of <inertial> is negative", element.text("mass", ""),
                     "give a mass that is zero or more");
  }
  return out;
}

namespace {

void check_finite(const MassProperties& inertia, const Body& body) {
  if (std::isfinite(inertia.mass) && inertia.center.allFinite() && inertia.inertia.allFinite()) return;
  throw ModelError("impossible-inertia", body.where,
                   fmt::format("mass or inertia of body '{}' is not finite", body.name), "",
                   "check the sizes and densities of its geoms");
}

[[noreturn]] void refuse_moments(const Vector3d& moments, const Body& body) {
  const Vector3d nearest = nearest_physical_moments(moments);
  const std::string fix =
      fmt::format("correct the inertia; the nearest moments that matter can have are {:.4g} {:.4g} {:.4g}", nearest[0],
                  nearest[1], nearest[2]);
  if (moments[0] < 0) {
    throw ModelError("impossible-inertia", body.where,
                     fmt::format("a principal moment of inertia of body '{}' is negative", body.name),
                     fmt::format("{}", moments[0]), fix);
  }
  throw ModelError("impossible-inertia", body.where,
                   fmt::format("principal moments of body '{}' violate A + B >= C, which no matter can", body.name),
                   fmt::format("{} {} {}", moments[0], moments[1], moments[2]),
                   fix + ", or set balanceinertia=\"true\" in <compiler>");
}

}  // namespace

MassProperties repaired(const MassProperties& inertia, const Body& body, Context& context) {
  check_finite(inertia, body);
  const Compiler& compiler = context.compiler;
  MassProperties out = inertia;
  out.mass = std::max(out.mass, compiler.bound_mass);
  const PrincipalInertia principal = principal_inertia(out.inertia);
  // Round-off may leave a moment of a thin body a little below zero.
  const double slack = kRoundOff * principal.moments.cwiseAbs().maxCoeff();
  Vector3d moments = principal.moments;
  if (compiler.bound_inertia > 0) moments = moments.cwiseMax(compiler.bound_inertia);
  const bool is_negative = moments[0]<-slack, is_uneven = moments[2]> moments[0] + moments[1] + slack;
  if (is_uneven && !is_negative && compiler.balance_inertia) {
    moments.setConstant(moments.mean());
    context.warn_once("balanced-inertia", body.where,
                      fmt::format("principal moments of body '{}' violate A + B >= C; balanceinertia makes all three "
                                  "their mean, {:.4g} kg m^2",
                                  body.name, moments[0]));
  } else if (is_negative || is_uneven) {
    if (!context.repair) refuse_moments(moments, body);
    context.scene.warnings.push_back(
        {"repaired-inertia", body.where, describe_repair(fmt::format("body '{}'", body.name), moments)});
    moments = nearest_physical_moments(moments);
  }
  // Untouched inertias keep their digits.
  if (moments != principal.moments) {
    out.inertia = principal.axes * moments.asDiagonal() * principal.axes.transpose();
  }
  return out;
}

void scale_total_mass(Scene& scene, double total_mass) {
  double sum = 0;
  for (const Body& body : scene.bodies) sum += body.inertia.mass;
  if (total_mass <= 0 || sum <= 0) return;
  for (Body& body : scene.bodies) {
    body.inertia.mass *= total_mass / sum;
    body.inertia.inertia *= total_mass / sum;
  }
}

}  // namespace stickslip::mjcf
