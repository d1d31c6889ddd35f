#include "stickslip/scene/urdf_joint.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/base/names.h"

namespace stickslip {
namespace {

JointType read_type(const XmlElement& element, const std::string& name) {
  static const std::vector<std::pair<std::string, JointType>> kTypes{
      {"fixed", JointType::kFixed},         {"revolute", JointType::kRevolute}, {"continuous", JointType::kContinuous},
      {"prismatic", JointType::kPrismatic}, {"planar", JointType::kPlanar},     {"floating", JointType::kFree},
      {"spherical", JointType::kBall}};  // the last is Bullet's and MuJoCo's
  const std::string word = element.required_text("type");
  std::vector<std::string> names;
  for (const auto& [type_name, type] : kTypes) {
    if (type_name == word) return type;
    names.push_back(type_name);
  }
  throw ModelError("unknown-joint-type", element.where("type"),
                   fmt::format("type of joint '{}' is not a URDF joint type", name), word, did_you_mean(word, names));
}

std::string read_link_name(const XmlElement& element, const std::string& tag, const std::string& joint,
                           Location& where) {
  const XmlElement* child = element.child(tag);
  if (!child) {
    throw ModelError("missing-element", element.where(), fmt::format("joint '{}' has no <{}>", joint, tag), "",
                     fmt::format("add <{} link=\"...\"/>", tag));
  }
  where = child->where("link");
  return child->required_text("link");
}

Vector3d read_axis(const XmlElement& element, const std::string& joint) {
  const XmlElement* child = element.child("axis");
  if (!child) return Vector3d::UnitX();  // the format's default
  const Vector3d axis = child->vector3("xyz", Vector3d::UnitX());
  const double length = axis.stableNorm();
  constexpr double kShortest = 1e-12;
  if (length > kShortest) return axis / length;
  throw ModelError("zero-axis", child->where("xyz"), fmt::format("axis of joint '{}' has no direction", joint),
                   *child->text("xyz"), "write a unit vector such as 0 0 1");
}

// Zero or less cannot be meant: the joint could not move. Files write 0 for a figure nobody knew.
double read_bound(const XmlElement& limit, const std::string& attribute, const std::string& joint,
                  UrdfContext& context) {
  const std::optional<double> bound = limit.number(attribute);
  if (!bound) return kInfinity;
  if (*bound > 0) return *bound;
  context.warn("zero-limit", limit.where(attribute),
               fmt::format("{} limit of joint '{}' is {}; taken as none", attribute, joint, *bound));
  return kInfinity;
}

void read_range(const XmlElement& limit, Joint& joint, UrdfContext& context) {
  joint.limits = {limit.number("lower", 0), limit.number("upper", 0)};
  if (joint.limits.lower > joint.limits.upper) {
    throw ModelError(
        "bad-range", limit.where("lower"),
        fmt::format("lower limit of joint '{}' is above its upper limit {}", joint.name, joint.limits.upper),
        limit.text("lower", "0 (the default)"), "swap lower and upper, or give both");
  }
  if (!limit.has("lower") && !limit.has("upper")) {
    context.warn(
        "zero-range", limit.where(),
        fmt::format("joint '{}' has a <limit> without lower and upper: both are 0, so it cannot move", joint.name));
  }
}

void read_limits(const XmlElement& element, Joint& joint, UrdfContext& context) {
  const bool ranged = joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic;
  const XmlElement* limit = element.child("limit");
  if (!limit) {
    if (ranged) {
      context.warn("missing-limit", element.where(),
                   fmt::format("joint '{}' has no <limit>; it moves without bounds", joint.name));
    }
    return;
  }
  if (joint.type == JointType::kFixed) return;
  joint.velocity_limit = read_bound(*limit, "velocity", joint.name, context);
  joint.effort_limit = read_bound(*limit, "effort", joint.name, context);
  if (ranged) read_range(*limit, joint, context);
}

void read_dynamics(const XmlElement& element, Joint& joint) {
  const XmlElement* dynamics = element.child("dynamics");
  if (!dynamics || joint.type == JointType::kFixed) return;
  const auto read = [&](const char* attribute) {
    const double x = dynamics->number(attribute, 0);
    if (x >= 0) return x;
    throw ModelError("negative-dissipation", dynamics->where(attribute),
                     fmt::format("{} of joint '{}' is negative: it would create energy", attribute, joint.name),
                     *dynamics->text(attribute), "write zero or more");
  };
  joint.damping = read("damping");
  joint.dry_friction = read("friction");
}

std::optional<Constraint> read_mimic(const XmlElement& element, const Joint& joint) {
  const XmlElement* mimic = element.child("mimic");
  if (!mimic) return {};
  Constraint coupler;
  coupler.kind = Constraint::Kind::kCoupler;
  coupler.name = joint.name + "_mimic";
  coupler.where = mimic->where();
  coupler.joint_a = joint.name;
  coupler.joint_b = mimic->required_text("joint");
  coupler.coefficients = {mimic->number("offset", 0), mimic->number("multiplier", 1), 0, 0, 0};
  if (coupler.joint_b == joint.name) {
    throw ModelError("mimics-itself", mimic->where("joint"), fmt::format("joint '{}' mimics itself", joint.name),
                     joint.name, "name another joint");
  }
  return coupler;
}

bool has_one_dof(JointType type) {
  return type == JointType::kRevolute || type == JointType::kContinuous || type == JointType::kPrismatic;
}

}  // namespace

UrdfJoint read_urdf_joint(const XmlElement& element, UrdfContext& context) {
  UrdfJoint out;
  Joint& joint = out.joint;
  joint.name = element.required_text("name");
  joint.where = element.where();
  joint.type = read_type(element, joint.name);
  joint.parent = read_link_name(element, "parent", joint.name, out.parent_where);
  joint.child = read_link_name(element, "child", joint.name, out.child_where);
  joint.pose = read_origin(element);
  if (has_one_dof(joint.type) || joint.type == JointType::kPlanar) joint.axis = read_axis(element, joint.name);
  read_limits(element, joint, context);
  read_dynamics(element, joint);
  if (has_one_dof(joint.type)) out.mimic = read_mimic(element, joint);
  const std::vector<std::string> understood{
      "origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "calibration", "safety_controller"};
  for (const XmlElement& child : element.children) {
    const bool known = std::find(understood.begin(), understood.end(), child.name) != understood.end();
    // Calibration and soft limits concern the robot's drivers, not its physics.
    if (!known) context.ignore(element, child, understood);
  }
  return out;
}

}  // namespace stickslip
