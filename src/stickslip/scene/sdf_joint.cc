#include "stickslip/scene/sdf_joint.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "stickslip/base/names.h"

namespace stickslip::sdf {
namespace {

constexpr int kAxesInJointFrame = 105;  // SDF 1.5, the version since which axes are not in the model's frame by default

std::optional<JointType> read_type(const XmlElement& element, const std::string& name, SdfContext& context) {
  static const std::vector<std::pair<std::string, JointType>> kTypes{
      {"revolute", JointType::kRevolute},   {"continuous", JointType::kContinuous},
      {"prismatic", JointType::kPrismatic}, {"screw", JointType::kScrew},
      {"ball", JointType::kBall},           {"universal", JointType::kUniversal},
      {"revolute2", JointType::kUniversal}, {"fixed", JointType::kFixed}};
  const std::string word = element.required_text("type");
  std::vector<std::string> names;
  for (const auto& [type_name, type] : kTypes) {
    if (type_name == word) return type;
    names.push_back(type_name);
  }
  if (word == "gearbox") {
    context.warn("unsupported-joint", element.where("type"),
                 fmt::format("joint '{}' is a gearbox, which is not supported, and left out", name));
    return {};
  }
  throw ModelError("unknown-joint-type", element.where("type"),
                   fmt::format("type of joint '{}' is not an SDF joint type", name), word, did_you_mean(word, names));
}

std::string read_body_name(const XmlElement& element, const std::string& tag, const std::string& joint) {
  if (const auto name = text_in(element, tag)) return *name;
  throw ModelError("missing-element", element.where(), fmt::format("joint '{}' has no <{}>", joint, tag), "",
                   fmt::format("add <{}>name of a link</{}>", tag, tag));
}

// Unit vector in the joint's frame.
Vector3d read_axis(const XmlElement& axis, const Scope& scope, Scopes& scopes, const Pose& X_MJ,
                   const std::string& joint) {
  const Vector3d xyz = vector_in(axis, "xyz").value_or(Vector3d::UnitZ());
  constexpr double kShortest = 1e-12;
  if (xyz.norm() <= kShortest) {
    throw ModelError("zero-axis", axis.child("xyz")->content_where(),
                     fmt::format("axis of joint '{}' has no direction", joint), axis.child("xyz")->content.value,
                     "write a unit vector such as 0 0 1");
  }
  const XmlElement* vector = axis.child("xyz");
  const std::string frame = vector ? vector->text("expressed_in", "") : "";
  if (!frame.empty()) {
    return (X_MJ.rotation.transpose() * scopes.pose(scope, frame, vector->where()).rotation * xyz).normalized();
  }
  const bool old = scope.version > 0 && scope.version < kAxesInJointFrame;
  if (flag_in(axis, "use_parent_model_frame", old)) return (X_MJ.rotation.transpose() * xyz).normalized();
  return xyz.normalized();
}

// Negative is SDF's way of saying that there is no limit; zero would be a joint that nothing can move.
double read_bound(const XmlElement& limit, const std::string& name, const Joint& joint, SdfContext& context) {
  const double bound = bound_in(limit, name, -1);
  if (bound == 0) {
    context.warn("zero-limit", limit.child(name)->where(),
                 fmt::format("{} limit of joint '{}' is 0; taken as none", name, joint.name));
  }
  return bound > 0 ? bound : kInfinity;
}

void read_limits(const XmlElement& axis, Joint& joint, SdfContext& context) {
  const XmlElement* limit = axis.child("limit");
  if (!limit) return;
  joint.velocity_limit = read_bound(*limit, "velocity", joint, context);
  joint.effort_limit = read_bound(*limit, "effort", joint, context);
  context.ignore_all_but(*limit, {"lower", "upper", "velocity", "effort"});
  const bool ranged =
      joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic || joint.type == JointType::kScrew;
  if (!ranged) return;
  joint.limits = {bound_in(*limit, "lower", -kInfinity), bound_in(*limit, "upper", kInfinity)};
  if (joint.limits.lower <= joint.limits.upper) return;
  // libsdformat and Gazebo take such joints; MuJoCo and we do not: nobody knows what was meant.
  throw ModelError("bad-range", limit->child("lower")->content_where(),
                   fmt::format("lower limit of joint '{}' is above its upper limit {}", joint.name, joint.limits.upper),
                   limit->child("lower")->content.value, "swap lower and upper");
}

void read_dynamics(const XmlElement& axis, Joint& joint, SdfContext& context) {
  const XmlElement* dynamics = axis.child("dynamics");
  if (!dynamics) return;
  const auto read = [&](const char* name) {
    const double x = number_in(*dynamics, name, 0);
    if (x >= 0) return x;
    throw ModelError("negative-dissipation", dynamics->child(name)->content_where(),
                     fmt::format("{} of joint '{}' is negative: it would create energy", name, joint.name),
                     dynamics->child(name)->content.value, "write zero or more");
  };
  joint.damping = read("damping");
  joint.dry_friction = read("friction");
  joint.stiffness = read("spring_stiffness");
  joint.spring_reference = number_in(*dynamics, "spring_reference", 0);
  context.ignore_all_but(*dynamics, {"damping", "friction", "spring_stiffness", "spring_reference"});
}

// q = multiplier (q_leader - reference) + offset
std::optional<Constraint> read_mimic(const XmlElement& axis, const Scope& scope, const Joint& joint,
                                     SdfContext& context) {
  const XmlElement* mimic = axis.child("mimic");
  if (!mimic) return {};
  const std::string leader = mimic->text("joint", text_in(*mimic, "joint", ""));
  const auto found = scope.names.find(leader);
  const bool known = found != scope.names.end() && found->second.kind == NamedFrame::Kind::kJoint;
  if (!known || mimic->text("axis", "axis") != "axis") {
    context.warn(
        "unknown-mimic", mimic->where(),
        fmt::format("joint '{}' mimics '{}', which cannot be followed, so it moves by itself", joint.name, leader));
    return {};
  }
  const double multiplier = number_in(*mimic, "multiplier", 1);
  Constraint coupler;
  coupler.kind = Constraint::Kind::kCoupler;
  coupler.name = joint.name + "_mimic";
  coupler.where = mimic->where();
  coupler.joint_a = joint.name;
  coupler.joint_b = scope.prefix + leader;
  coupler.coefficients = {number_in(*mimic, "offset", 0) - multiplier * number_in(*mimic, "reference", 0), multiplier,
                          0, 0, 0};
  return coupler;
}

// [m/rad]. The older <thread_pitch> counts radians a metre, against the axis.
double read_pitch(const XmlElement& element, const std::string& joint) {
  if (const auto advance = number_in(element, "screw_thread_pitch")) return *advance / (2 * std::numbers::pi);
  const double radians = number_in(element, "thread_pitch", 1);
  if (radians != 0) return -1 / radians;
  throw ModelError("bad-pitch", element.child("thread_pitch")->content_where(),
                   fmt::format("thread_pitch of joint '{}' is zero", joint), "0",
                   "write screw_thread_pitch in metres a revolution");
}

bool has_axis(JointType type) { return type != JointType::kFixed && type != JointType::kBall; }

bool has_one_dof(JointType type) {
  return type == JointType::kRevolute || type == JointType::kContinuous || type == JointType::kPrismatic;
}

void read_axes(const XmlElement& element, const Scope& scope, Scopes& scopes, const Pose& X_MJ, SdfContext& context,
               SdfJoint& out) {
  Joint& joint = out.joint;
  if (!has_axis(joint.type)) return;
  joint.axis = Vector3d::UnitZ();
  static const std::vector<std::string> kUnderstood{
      "xyz", "limit", "dynamics", "mimic", "use_parent_model_frame", "initial_position"};
  if (const XmlElement* axis = element.child("axis")) {
    joint.axis = read_axis(*axis, scope, scopes, X_MJ, joint.name);
    read_limits(*axis, joint, context);
    read_dynamics(*axis, joint, context);
    if (has_one_dof(joint.type)) out.mimic = read_mimic(*axis, scope, joint, context);
    if (const auto start = number_in(*axis, "initial_position")) {
      if (has_one_dof(joint.type)) joint.position = {*start};
    }
    context.ignore_all_but(*axis, kUnderstood);
  }
  const XmlElement* axis2 = element.child("axis2");
  if (joint.type != JointType::kUniversal || !axis2) return;
  joint.axis2 = read_axis(*axis2, scope, scopes, X_MJ, joint.name);
  Joint second;
  second.name = joint.name;
  read_dynamics(*axis2, second, context);
  if (second.damping != joint.damping || second.dry_friction != joint.dry_friction) {
    context.warn("unequal-axes", axis2->where(),
                 fmt::format("damping or friction of the two axes of joint '{}' differ; both get those of the first",
                             joint.name));
  }
  context.ignore_all_but(*axis2, {"xyz", "dynamics", "use_parent_model_frame"});
}

}  // namespace

std::optional<SdfJoint> read_joint(const XmlElement& element, const Scope& scope, Scopes& scopes, SdfContext& context,
                                   const Scene& scene) {
  SdfJoint out;
  Joint& joint = out.joint;
  joint.name = scope.prefix + element.required_text("name");
  joint.where = element.where();
  const std::optional<JointType> type = read_type(element, joint.name, context);
  if (!type) return {};
  joint.type = *type;
  const std::string parent = read_body_name(element, "parent", joint.name);
  const std::string child = read_body_name(element, "child", joint.name);
  out.parent = scopes.body(scope, parent, element.child("parent")->content_where());
  out.child = scopes.body(scope, child, element.child("child")->content_where());
  if (out.parent == out.child) {
    throw ModelError("same-body", joint.where, fmt::format("joint '{}' connects a body with itself", joint.name), child,
                     "name two links that are not the same");
  }
  joint.parent = out.parent == kWorldBody ? kWorld : scene.bodies[out.parent].name;
  joint.child = out.child == kWorldBody ? kWorld : scene.bodies[out.child].name;
  const Pose X_MJ = scopes.placed(scope, pose_in(element), child);
  out.X_WJ = scopes.pose_in_world(scope) * X_MJ;
  if (joint.type == JointType::kScrew) joint.pitch = read_pitch(element, joint.name);
  read_axes(element, scope, scopes, X_MJ, context, out);
  static const std::vector<std::string> kUnderstood{
      "parent", "child", "pose", "axis", "axis2", "thread_pitch", "screw_thread_pitch"};
  context.ignore_all_but(element, kUnderstood);
  return out;
}

}  // namespace stickslip::sdf
