#include "stickslip/scene/mjcf_joints.h"

#include <fmt/format.h>

namespace stickslip::mjcf {
namespace {

JointType read_type(const MjcfElement& element) {
  const std::string word = element.keyword("type", {"free", "ball", "slide", "hinge"}, "hinge");
  if (word == "free") return JointType::kFree;
  if (word == "ball") return JointType::kBall;
  return word == "slide" ? JointType::kPrismatic : JointType::kRevolute;
}

Vector3d read_axis(const MjcfElement& element) {
  const Vector3d axis = element.vector3("axis", Vector3d::UnitZ());
  constexpr double kShortest = 1e-14;  // as in MuJoCo
  if (axis.norm() < kShortest) {
    throw ModelError("bad-axis", element.where("axis"), "a joint's axis has length zero", element.text("axis", ""),
                     "give a direction");
  }
  return axis.normalized();
}

// Unlike other limits, "0 0" is one: as in MuJoCo, a ball that a class limits and that has no range of its own is held.
Range read_ball_limits(const MjcfElement& element, const Compiler& compiler) {
  const std::vector<double> range = element.numbers("range", 2, 2).value_or(std::vector<double>{0, 0});
  if (element.text("limited", "") == "true" && range[0] == 0 && range[1] == 0) return {0, 0};
  return read_limits(element, compiler, "range", "limited");
}

// Angles are in the compiler's unit for hinges and balls.
void read_angles(const MjcfElement& element, const Compiler& compiler, Joint& joint) {
  const bool angular = joint.type != JointType::kPrismatic;
  const auto convert = [&](double value) { return angular ? compiler.radians(value) : value; };
  if (joint.type != JointType::kBall) {
    joint.reference = convert(element.number("ref", 0));
    joint.spring_reference = convert(element.number("springref", 0));
  }
  joint.limits = joint.type == JointType::kBall ? read_ball_limits(element, compiler)
                                                : read_limits(element, compiler, "range", "limited");
  if (!joint.limits.bounded()) return;
  joint.limits.lower = convert(joint.limits.lower);
  joint.limits.upper = convert(joint.limits.upper);
  if (joint.type == JointType::kBall) joint.limits.lower = -kInfinity;
}

void read_effort_limit(Context& context, const MjcfElement& element, Joint& joint) {
  const Range range = read_limits(element, context.compiler, "actuatorfrcrange", "actuatorfrclimited");
  if (!range.bounded()) return;
  joint.effort_limit = std::max(std::abs(range.lower), std::abs(range.upper));
  if (range.lower != -range.upper) {
    context.warn_once("translated-attribute", element.where("actuatorfrcrange"),
                      "an 'actuatorfrcrange' that is not symmetric becomes an effort limit of its larger side");
  }
}

// Negative ones would feed energy, or make a mass matrix that is none.
void refuse_negative(const MjcfElement& element, double value, std::string_view attribute, const char* code) {
  if (value >= 0) return;
  throw ModelError(code, element.where(attribute),
                   fmt::format("'{}' of <{}> is negative", attribute, element.own().name), element.text(attribute, ""),
                   "give a number that is zero or more");
}

}  // namespace

double linear_coefficient(Context& context, const MjcfElement& element, std::string_view attribute) {
  const auto values = element.numbers(attribute, 1, 3);
  if (!values) return 0;
  for (std::size_t k = 1; k < values->size(); ++k) {
    if ((*values)[k] == 0) continue;
    context.warn_once("unsupported-attribute", element.where(attribute),
                      fmt::format("only the linear term of '{}' is supported, the others are left out", attribute));
  }
  return (*values)[0];
}

Range read_limits(const MjcfElement& element, const Compiler& compiler, std::string_view range,
                  std::string_view limited) {
  const auto values = element.numbers(range, 2, 2);
  const std::string word = element.keyword(limited, {"true", "false", "auto"}, "auto");
  if (word == "auto" && values && !compiler.autolimits) {
    throw ModelError("ambiguous-limits", element.where(range),
                     fmt::format("'{}' is given without '{}', while autolimits is false", range, limited), "",
                     fmt::format("add {}=\"true\"", limited));
  }
  if (word == "false" || (word == "auto" && !values)) return {};
  const Range out = values ? Range{(*values)[0], (*values)[1]} : Range{0, 0};
  if (out.lower < out.upper) return out;
  if (word == "auto") return {};
  throw ModelError(
      "bad-range", element.where(range),
      fmt::format("'{}' of <{}> is missing or its first number is not below its second", range, element.own().name),
      element.text(range, ""), "write the lower bound, then the upper one");
}

Joint read_freejoint(const XmlElement& element) {
  Joint joint;
  joint.where = element.where();
  joint.type = JointType::kFree;
  return joint;
}

Joint read_joint(Context& context, const MjcfElement& element, const Pose& X_BF) {
  Joint joint;
  joint.where = element.where();
  joint.type = read_type(element);
  joint.stiffness = linear_coefficient(context, element, "stiffness");
  joint.damping = linear_coefficient(context, element, "damping");
  joint.armature = element.number("armature", 0);
  joint.dry_friction = element.number("frictionloss", 0);
  refuse_negative(element, joint.damping, "damping", "negative-dissipation");
  refuse_negative(element, joint.dry_friction, "frictionloss", "negative-dissipation");
  refuse_negative(element, joint.armature, "armature", "negative-mass");
  if (joint.type == JointType::kFree) return joint;
  joint.pose = Pose::at(X_BF * element.vector3("pos", Vector3d::Zero()));
  if (joint.type != JointType::kBall) joint.axis = X_BF.rotation * read_axis(element);
  read_angles(element, context.compiler, joint);
  if (joint.type != JointType::kBall) read_effort_limit(context, element, joint);
  return joint;
}

std::optional<std::pair<double, double>> read_spring_damper(const MjcfElement& element) {
  const auto values = element.numbers("springdamper", 2, 2);
  if (!values || (*values)[0] <= 0 || (*values)[1] <= 0) return std::nullopt;
  return std::pair((*values)[0], (*values)[1]);
}

}  // namespace stickslip::mjcf
