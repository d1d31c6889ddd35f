#include "stickslip/scene/yaml_joint.h"

#include <fmt/format.h>

#include "stickslip/base/names.h"
#include "stickslip/scene/yaml_motion.h"

namespace stickslip {
namespace {

JointType read_joint_type(YamlMap& map) {
  static const std::vector<std::pair<std::string, JointType>> kTypes{{"fixed", JointType::kFixed},
                                                                     {"free", JointType::kFree},
                                                                     {"ball", JointType::kBall},
                                                                     {"revolute", JointType::kRevolute},
                                                                     {"continuous", JointType::kContinuous},
                                                                     {"prismatic", JointType::kPrismatic},
                                                                     {"planar", JointType::kPlanar},
                                                                     {"universal", JointType::kUniversal},
                                                                     {"screw", JointType::kScrew}};
  const YamlValue& value = map.require("type", "add 'type: revolute' or another joint type");
  const std::string word = to_text(value, map.of("type"));
  std::vector<std::string> names;
  for (const auto& [name, type] : kTypes) {
    if (name == word) return type;
    names.push_back(name);
  }
  throw ModelError("unknown-joint-type", value.where(), fmt::format("'{}' is not a joint type", word), word,
                   did_you_mean(word, names));
}

bool has_axis(JointType type) {
  return type != JointType::kFixed && type != JointType::kFree && type != JointType::kBall;
}

void read_start(YamlMap& map, Joint& joint) {
  const auto read = [&](const char* key, int size) -> std::vector<double> {
    const YamlValue* value = map.find(key);
    if (!value) return {};
    const auto n = static_cast<size_t>(size);
    if (size == 1) return to_number_or_numbers(*value, map.of(key), 1);
    return to_numbers(*value, map.of(key), n, n);
  };
  joint.position = read("position", position_size(joint.type));
  joint.velocity = read("velocity", velocity_size(joint.type));
}

void read_limits(const YamlValue& value, const std::string& what, Joint& joint) {
  YamlMap map(value, what);
  joint.limits.lower = map.number("lower", -kInfinity, Bound::kNotNan);
  joint.limits.upper = map.number("upper", kInfinity, Bound::kNotNan);
  joint.velocity_limit = map.number("velocity", kInfinity, Bound::kPositiveOrInfinite);
  joint.effort_limit = map.number("effort", kInfinity, Bound::kPositiveOrInfinite);
  map.done();
  if (joint.limits.lower > joint.limits.upper) {
    map.fail("bad-range", fmt::format("{} has lower {} above upper {}", what, joint.limits.lower, joint.limits.upper),
             "swap them");
  }
}

// Keys that mean something only for a joint that moves.
void read_dynamics(YamlMap& map, const YamlContext& context, Joint& joint) {
  read_start(map, joint);
  joint.damping = map.number("damping", 0, Bound::kNonNegative);
  joint.armature = map.number("armature", 0, Bound::kNonNegative);
  joint.dry_friction = map.number("dry_friction", 0, Bound::kNonNegative);
  if (joint.type == JointType::kFree) return;
  joint.stiffness = map.number("stiffness", 0, Bound::kNonNegative);
  if (const YamlValue* limits = map.find("limits")) read_limits(*limits, map.of("limits"), joint);
  if (position_size(joint.type) != 1) return;
  joint.reference = map.number("reference", 0);
  joint.spring_reference = map.number("spring_reference", joint.reference);
  if (joint.type == JointType::kScrew) return;
  if (const YamlValue* motion = map.find("motion")) {
    joint.motion = read_motion(*motion, map.of("motion"), context, true);
    if (joint.position.empty() && joint.velocity.empty()) return;
    map.fail("two-motions", map.what() + " has a motion and a position or velocity of its own",
             "the motion says where the joint is; shift it with phase or table");
  }
}

}  // namespace

int position_size(JointType type) {
  switch (type) {
    case JointType::kFixed:
      return 0;
    case JointType::kFree:
      return 7;
    case JointType::kBall:
      return 4;
    case JointType::kPlanar:
      return 3;
    case JointType::kUniversal:
      return 2;
    default:
      return 1;
  }
}

int velocity_size(JointType type) {
  if (type == JointType::kFree) return 6;
  return type == JointType::kBall ? 3 : position_size(type);
}

Joint read_joint(const YamlValue& value, const YamlContext& context) {
  YamlMap map(value, "a joint");
  Joint joint;
  joint.where = map.where();
  joint.name = map.required_text("name");
  map.set_what(fmt::format("joint '{}'", joint.name));
  joint.type = read_joint_type(map);
  joint.parent = map.text("parent", kWorld);
  joint.child = map.required_text("child");
  joint.pose = map.pose();
  joint.child_pose = map.pose("child_pose");
  if (has_axis(joint.type)) joint.axis = map.axis("axis", Vector3d::UnitZ());
  if (joint.type == JointType::kUniversal) joint.axis2 = map.axis("axis2", Vector3d::UnitY());
  if (joint.type == JointType::kScrew) joint.pitch = map.required_number("pitch");
  if (joint.type != JointType::kFixed) read_dynamics(map, context, joint);
  map.done();
  if (joint.child == kWorld) {
    map.fail("bad-child", map.what() + " has the world as its child", "make the world the parent");
  }
  return joint;
}

}  // namespace stickslip
