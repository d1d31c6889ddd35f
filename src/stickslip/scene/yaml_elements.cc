#include "stickslip/scene/yaml_elements.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/base/names.h"

namespace stickslip {
namespace {

void read_friction(const YamlValue& value, const std::string& what, Material& material) {
  if (value.is_scalar()) {
    material.static_friction = material.dynamic_friction = to_number(value, what, Bound::kNonNegative);
    return;
  }
  YamlMap map(value, what);
  material.static_friction = map.required_number("static", Bound::kNonNegative);
  material.dynamic_friction = map.number("dynamic", material.static_friction, Bound::kNonNegative);
  map.done();
  if (material.dynamic_friction > material.static_friction) {
    map.fail(
        "bad-friction",
        fmt::format("{}: dynamic {} is above static {}", what, material.dynamic_friction, material.static_friction),
        "dynamic friction is at most static friction");
  }
}

Grain read_grain(const YamlValue& value, const std::string& what) {
  YamlMap map(value, what);
  Grain grain;
  grain.direction = map.axis("direction", grain.direction);
  grain.friction_ratio = map.required_number("friction_ratio", Bound::kPositive);
  map.done();
  if (grain.friction_ratio > 1) {
    map.fail("bad-grain", fmt::format("{}: friction_ratio {} is above 1", what, grain.friction_ratio),
             "let 'direction' be the one of least friction, and friction_ratio what it has of the friction across it");
  }
  return grain;
}

// Hertz's law in place of a stiffness, where surfaces are curved.
void read_elasticity(YamlMap& map, Material& material) {
  constexpr double kIncompressible = 0.5;
  material.youngs_modulus = map.maybe_number("youngs_modulus", Bound::kPositive);
  material.poisson_ratio = map.number("poisson_ratio", material.poisson_ratio, Bound::kNonNegative);
  if (material.poisson_ratio > kIncompressible) {
    map.fail("bad-poisson-ratio", fmt::format("{}: poisson_ratio {} is above 0.5", map.what(), material.poisson_ratio),
             "give a number from 0 to 0.5");
  }
  if (map.has("poisson_ratio") && !material.youngs_modulus) {
    map.fail("no-youngs-modulus", map.what() + " has a poisson_ratio without a youngs_modulus",
             "add youngs_modulus, or leave poisson_ratio out");
  }
  if (material.youngs_modulus && map.has("relaxation_time")) {
    map.fail("hertz-relaxation", map.what() + " has both youngs_modulus and relaxation_time",
             "give dissipation instead of relaxation_time: linear damping does not go with Hertz's law");
  }
}

std::array<double, 3> read_triple(YamlMap& map, const std::string& key) {
  const Vector3d v = map.vector(key, Vector3d::Zero());
  return {v[0], v[1], v[2]};
}

// force = gain . (1, l, l') u + bias . (1, l, l')
void read_law(YamlMap& map, Actuator& actuator) {
  const YamlValue& type = map.require("type", "add 'type: motor', position, velocity, damper, general or idle");
  actuator.type = to_text(type, map.of("type"));
  if (actuator.type == "motor" || actuator.type == "idle") return;
  if (actuator.type == "position") {
    const double kp = map.required_number("kp", Bound::kNonNegative);
    const double kd = map.number("kd", 0, Bound::kNonNegative);
    actuator.gain = {kp, 0, 0};
    actuator.bias = {0, -kp, -kd};
  } else if (actuator.type == "velocity") {
    const double kv = map.required_number("kv", Bound::kNonNegative);
    actuator.gain = {kv, 0, 0};
    actuator.bias = {0, 0, -kv};
  } else if (actuator.type == "damper") {
    const double kv = map.required_number("kv", Bound::kNonNegative);
    actuator.gain = {0, 0, -kv};
  } else if (actuator.type == "general") {
    actuator.gain = read_triple(map, "gain");
    actuator.bias = read_triple(map, "bias");
  } else {
    const std::vector<std::string> types{"motor", "position", "velocity", "damper", "general", "idle"};
    throw ModelError("unknown-actuator-type", type.where(), fmt::format("'{}' is not an actuator type", actuator.type),
                     actuator.type, did_you_mean(actuator.type, types));
  }
}

Range read_force_limits(YamlMap& map) {
  const std::optional<double> effort = map.maybe_number("effort_limit", Bound::kPositiveOrInfinite);
  const Range limits = map.range("force_limits");
  if (!effort) return limits;
  if (limits.bounded()) map.fail("two-limits", map.what() + " has effort_limit and force_limits", "keep one of them");
  return {-*effort, *effort};
}

// How it gives way: by a spring in newtons, by a time scale, or hardly at all.
void read_softness(YamlMap& map, Constraint& constraint) {
  constraint.stiffness = map.maybe_number("stiffness", Bound::kPositive);
  constraint.dissipation = map.maybe_number("dissipation", Bound::kNonNegative);
  if (constraint.kind == Constraint::Kind::kWeld) {
    constraint.rotational_stiffness = map.maybe_number("rotational_stiffness", Bound::kPositive);
    constraint.rotational_dissipation = map.maybe_number("rotational_dissipation", Bound::kNonNegative);
  }
  constraint.time_scale = map.maybe_number("time_scale", Bound::kPositive);
  constraint.damping_ratio = map.number("damping_ratio", 1, Bound::kNonNegative);
  const bool is_spring = constraint.stiffness || constraint.dissipation || constraint.rotational_stiffness ||
                         constraint.rotational_dissipation;
  if (constraint.time_scale && is_spring) {
    map.fail("two-stiffnesses", map.what() + " has a time_scale and a stiffness or dissipation",
             "keep the time_scale and its damping_ratio, or the stiffness and its dissipation");
  }
}

void read_coupler(YamlMap& map, Constraint& constraint) {
  constraint.couples_tendons = map.has("tendon_a");
  const std::string kind = constraint.couples_tendons ? "tendon" : "joint";
  constraint.joint_a = map.required_text(kind + "_a");
  constraint.joint_b = map.text(kind + "_b", "");
  const YamlValue* value = map.find("coefficients");
  if (!value) return;
  const std::vector<double> c = to_numbers(*value, map.of("coefficients"), 1, constraint.coefficients.size());
  constraint.coefficients.fill(0);
  std::copy(c.begin(), c.end(), constraint.coefficients.begin());
}

void read_body_pair(YamlMap& map, Constraint& constraint) {
  const std::string none = "name a body; leave the other one out to mean the world";
  constraint.body_a = map.text("body_a", kWorld);
  constraint.body_b = map.text("body_b", kWorld);
  if (constraint.body_a == constraint.body_b) {
    map.fail("same-body", fmt::format("{} joins '{}' to itself", map.what(), constraint.body_a), none);
  }
  constraint.pose_a = map.pose("pose_a");
  constraint.pose_b = map.pose("pose_b");
  if (constraint.kind == Constraint::Kind::kDistance) {
    constraint.length = map.required_number("length", Bound::kPositive);
  }
}

std::vector<double> read_free_list(YamlMap& map, const std::string& key) {
  const YamlValue* value = map.find(key);
  if (!value) return {};
  return to_numbers(*value, map.of(key), 0, SIZE_MAX);
}

}  // namespace

Material read_material(const std::string& name, const Location& where, const YamlValue& value) {
  YamlMap map(value, fmt::format("material '{}'", name));
  Material material;
  material.name = name;
  material.where = where;
  material.stiffness = map.number("stiffness", material.stiffness, Bound::kPositiveOrInfinite);
  material.dissipation = map.number("dissipation", material.dissipation, Bound::kNonNegative);
  material.relaxation_time = map.maybe_number("relaxation_time", Bound::kNonNegative);
  read_elasticity(map, material);
  if (const YamlValue* friction = map.find("friction")) read_friction(*friction, map.of("friction"), material);
  material.stiction_tolerance = map.number("stiction_tolerance", material.stiction_tolerance, Bound::kPositive);
  if (const YamlValue* grain = map.find("grain")) material.grain = read_grain(*grain, map.of("grain"));
  if (material.relaxation_time && map.has("dissipation")) {
    map.fail("two-dissipations", map.what() + " has both dissipation and relaxation_time", "keep one of them");
  }
  if (material.relaxation_time) material.dissipation = 0;
  map.done();
  return material;
}

Tendon read_tendon(const YamlValue& value) {
  YamlMap map(value, "a tendon");
  Tendon tendon;
  tendon.where = map.where();
  tendon.name = map.required_text("name");
  map.set_what(fmt::format("tendon '{}'", tendon.name));
  const YamlValue& joints = map.require("joints", "add 'joints: {hinge: 1, elbow: -0.5}'");
  for (const YamlEntry& entry : to_entries(joints, map.of("joints"))) {
    tendon.terms.push_back(
        {entry.key(), to_number(*entry.value, map.of("coefficient of joint '" + entry.key() + "'"))});
  }
  tendon.stiffness = map.number("stiffness", 0, Bound::kNonNegative);
  tendon.damping = map.number("damping", 0, Bound::kNonNegative);
  tendon.dry_friction = map.number("dry_friction", 0, Bound::kNonNegative);
  const YamlValue* rest = map.find("rest");
  if (rest && rest->is_scalar()) {
    tendon.spring_rest.lower = tendon.spring_rest.upper = to_number(*rest, map.of("rest"));
  } else {
    tendon.spring_rest = rest ? to_range(*rest, map.of("rest")) : Range{0, 0};
  }
  tendon.limits = map.range("limits");
  map.done();
  return tendon;
}

Actuator read_actuator(const YamlValue& value) {
  YamlMap map(value, "an actuator");
  Actuator actuator;
  actuator.where = map.where();
  actuator.name = map.required_text("name");
  map.set_what(fmt::format("actuator '{}'", actuator.name));
  actuator.joint = map.text("joint", "");
  actuator.tendon = map.text("tendon", "");
  read_law(map, actuator);
  if (actuator.type == "idle" && !actuator.is_idle()) {
    map.fail("bad-actuator", map.what() + " is idle and acts on something", "remove 'joint' and 'tendon'");
  }
  if (actuator.type != "idle" && actuator.joint.empty() == actuator.tendon.empty()) {
    map.fail("bad-actuator", map.what() + " must act on one joint or one tendon", "give either 'joint' or 'tendon'");
  }
  if (const YamlValue* gear = map.find("gear")) {
    const std::vector<double> g = to_number_or_numbers(*gear, map.of("gear"), actuator.gear.size());
    actuator.gear.fill(0);
    std::copy(g.begin(), g.end(), actuator.gear.begin());
  }
  actuator.force_limits = read_force_limits(map);
  actuator.control_limits = map.range("control_limits");
  actuator.control = map.number("control", 0);
  map.done();
  return actuator;
}

Constraint read_constraint(const YamlValue& value) {
  YamlMap map(value, "a constraint");
  Constraint constraint;
  constraint.where = map.where();
  constraint.name = map.text("name", "");
  const YamlValue& type = map.require("type", "add 'type: weld', ball, distance or coupler");
  const std::string word = to_text(type, map.of("type"));
  map.set_what(constraint.name.empty() ? "a " + word : fmt::format("{} '{}'", word, constraint.name));
  const std::vector<std::string> types{"weld", "ball", "distance", "coupler"};
  const auto found = std::find(types.begin(), types.end(), word);
  if (found == types.end()) {
    throw ModelError("unknown-constraint-type", type.where(), fmt::format("'{}' is not a constraint type", word), word,
                     did_you_mean(word, types));
  }
  constexpr Constraint::Kind kKinds[]{Constraint::Kind::kWeld, Constraint::Kind::kBall, Constraint::Kind::kDistance,
                                      Constraint::Kind::kCoupler};
  constraint.kind = kKinds[found - types.begin()];
  constraint.active = map.flag("active", true);
  if (constraint.kind == Constraint::Kind::kCoupler) {
    read_coupler(map, constraint);
  } else {
    read_body_pair(map, constraint);
  }
  read_softness(map, constraint);
  map.done();
  return constraint;
}

Frame read_frame(const YamlValue& value) {
  YamlMap map(value, "a frame");
  Frame frame;
  frame.where = map.where();
  frame.name = map.required_text("name");
  map.set_what(fmt::format("frame '{}'", frame.name));
  frame.body = map.text("body", kWorld);
  frame.pose = map.pose();
  map.done();
  return frame;
}

ContactPair read_contact_pair(const YamlValue& value) {
  YamlMap map(value, "a contact pair");
  ContactPair pair;
  pair.where = map.where();
  pair.geometry_a = map.required_text("geometry_a");
  pair.geometry_b = map.required_text("geometry_b");
  pair.material = map.text("material", "");
  map.done();
  return pair;
}

ContactExclusion read_exclusion(const YamlValue& value) {
  YamlMap map(value, "an exclusion");
  ContactExclusion exclusion;
  exclusion.where = map.where();
  exclusion.body_a = map.required_text("body_a");
  exclusion.body_b = map.required_text("body_b");
  map.done();
  return exclusion;
}

Keyframe read_keyframe(const YamlValue& value) {
  YamlMap map(value, "a keyframe");
  Keyframe keyframe;
  keyframe.where = map.where();
  keyframe.name = map.required_text("name");
  map.set_what(fmt::format("keyframe '{}'", keyframe.name));
  keyframe.time = map.number("time", 0);
  keyframe.q = read_free_list(map, "q");
  keyframe.v = read_free_list(map, "v");
  keyframe.ctrl = read_free_list(map, "ctrl");
  map.done();
  return keyframe;
}

SimulationOptions read_simulation(const YamlValue& value) {
  YamlMap map(value, "simulation");
  SimulationOptions simulation;
  simulation.method = map.text("method", "");
  simulation.accuracy = map.maybe_number("accuracy", Bound::kPositive);
  simulation.time_step = map.maybe_number("time_step", Bound::kPositive);
  simulation.file_time_step = map.maybe_number("file_time_step", Bound::kPositive);
  simulation.until = map.maybe_number("until", Bound::kNonNegative);
  simulation.friction = map.text("friction", "");
  map.done();
  if (simulation.accuracy && simulation.time_step) {
    map.fail("accuracy-and-time-step", "simulation has both accuracy and time_step",
             "keep accuracy for error control, or time_step for fixed steps");
  }
  return simulation;
}

}  // namespace stickslip
