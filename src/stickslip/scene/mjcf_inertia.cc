#include "stickslip/scene/mjcf_inertia.h"

#include <fmt/format.h>

namespace stickslip::mjcf {
namespace {

Matrix3d full_inertia(const std::vector<double>& v) {  // xx, yy, zz, xy, xz, yz
  return (Matrix3d() << v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2]).finished();
}

bool violates_triangle(const Vector3d& moments) {  // ascending
  // MuJoCo's test has no slack; round-off of our own must not refuse a flat body.
  constexpr double kRoundOff = 1e-10;
  return moments[2] > (moments[0] + moments[1]) * (1 + kRoundOff);
}

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

MassProperties repaired(const MassProperties& inertia, const Compiler& compiler, const Body& body) {
  MassProperties out = inertia;
  out.mass = std::max(out.mass, compiler.bound_mass);
  PrincipalInertia principal = principal_inertia(out.inertia);
  Vector3d moments = principal.moments.cwiseMax(compiler.bound_inertia);
  if (violates_triangle(moments)) {
    if (!compiler.balance_inertia) {
      throw ModelError("impossible-inertia", body.where,
                       fmt::format("principal moments of body '{}' violate A + B >= C, which no matter can", body.name),
                       fmt::format("{} {} {}", moments[0], moments[1], moments[2]),
                       "correct the inertia, or set balanceinertia=\"true\" in <compiler>");
    }
    moments.setConstant(moments.mean());
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
