#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "stickslip/convert/actuator_law.h"
#include "stickslip/convert/yaml_sink.h"

namespace stickslip::convert {
namespace {

// Numbers up to the last that counts, at least one.
template <size_t n>
std::vector<double> without_trailing_zeros(const std::array<double, n>& x) {
  std::vector<double> out(x.begin(), x.end());
  while (out.size() > 1 && out.back() == 0) out.pop_back();
  return out;
}

void set_law(const Actuator& actuator, YamlText& out) {
  const ActuatorLaw law = actuator_law(actuator);
  out.set("type", YamlText::text(law.type));
  if (law.type == "position") out.set("kp", YamlText::number(law.kp));
  if (law.type == "position") set_number(out, "kd", law.kd, 0);
  if (law.type == "velocity" || law.type == "damper") out.set("kv", YamlText::number(law.kv));
  if (law.type == "general") {
    out.set("gain", YamlText::numbers(actuator.gain.data(), 3)).set("bias", YamlText::numbers(actuator.bias.data(), 3));
  }
}

YamlText actuator_text(const Actuator& actuator) {
  YamlText out = YamlText::map();
  out.set("name", YamlText::text(actuator.name));
  if (!actuator.joint.empty()) out.set("joint", YamlText::text(actuator.joint));
  if (!actuator.tendon.empty()) out.set("tendon", YamlText::text(actuator.tendon));
  if (actuator.is_idle()) {
    out.set("type", YamlText::text("idle"));
  } else {
    set_law(actuator, out);
  }
  if (actuator.gear != Actuator().gear) {
    const std::vector<double> gear = without_trailing_zeros(actuator.gear);
    out.set("gear", gear.size() == 1 ? YamlText::number(gear[0]) : YamlText::numbers(gear));
  }
  const Range& force = actuator.force_limits;
  if (force.bounded() && force.upper > 0 && force.lower == -force.upper) {
    out.set("effort_limit", YamlText::number(force.upper));
  } else {
    set_range(out, "force_limits", force);
  }
  set_range(out, "control_limits", actuator.control_limits);
  set_number(out, "control", actuator.control, 0);
  return out;
}

YamlText tendon_text(const Tendon& tendon) {
  YamlText joints = YamlText::map();
  std::map<std::string, double> sum;  // a joint named twice counts by the sum
  for (const Tendon::Term& term : tendon.terms) sum[term.joint] += term.coefficient;
  for (const Tendon::Term& term : tendon.terms) {
    const auto found = sum.find(term.joint);
    if (found == sum.end()) continue;
    joints.set(term.joint, YamlText::number(found->second));
    sum.erase(found);
  }
  YamlText out = YamlText::map();
  out.set("name", YamlText::text(tendon.name)).set("joints", joints);
  set_number(out, "stiffness", tendon.stiffness, 0);
  set_number(out, "damping", tendon.damping, 0);
  set_number(out, "dry_friction", tendon.dry_friction, 0);
  const Range& rest = tendon.spring_rest;
  if (rest.lower != rest.upper) {
    out.set("rest", YamlText::range(rest));
  } else {
    set_number(out, "rest", rest.lower, 0);
  }
  set_range(out, "limits", tendon.limits);
  return out;
}

void set_coupler(const Constraint& constraint, YamlText& out) {
  const std::string kind = constraint.couples_tendons ? "tendon" : "joint";
  out.set(kind + "_a", YamlText::text(constraint.joint_a));
  if (!constraint.joint_b.empty()) out.set(kind + "_b", YamlText::text(constraint.joint_b));
  if (constraint.coefficients != Constraint().coefficients) {
    out.set("coefficients", YamlText::numbers(without_trailing_zeros(constraint.coefficients)));
  }
}

void set_body_pair(const Constraint& constraint, YamlText& out) {
  if (constraint.body_a != kWorld) out.set("body_a", YamlText::text(constraint.body_a));
  set_pose(out, "pose_a", constraint.pose_a);
  if (constraint.body_b != kWorld) out.set("body_b", YamlText::text(constraint.body_b));
  set_pose(out, "pose_b", constraint.pose_b);
  if (constraint.kind == Constraint::Kind::kDistance) out.set("length", YamlText::number(constraint.length));
}

void set_softness(const Constraint& constraint, YamlText& out) {
  if (constraint.stiffness) out.set("stiffness", YamlText::number(*constraint.stiffness));
  if (constraint.dissipation) out.set("dissipation", YamlText::number(*constraint.dissipation));
  if (const auto& k = constraint.rotational_stiffness) out.set("rotational_stiffness", YamlText::number(*k));
  if (const auto& d = constraint.rotational_dissipation) out.set("rotational_dissipation", YamlText::number(*d));
  if (constraint.time_scale) out.set("time_scale", YamlText::number(*constraint.time_scale));
  set_number(out, "damping_ratio", constraint.damping_ratio, 1);
}

YamlText constraint_text(const Constraint& constraint) {
  constexpr const char* kTypes[]{"weld", "ball", "distance", "coupler"};
  YamlText out = YamlText::map();
  if (!constraint.name.empty()) out.set("name", YamlText::text(constraint.name));
  out.set("type", YamlText::text(kTypes[static_cast<int>(constraint.kind)]));
  if (!constraint.active) out.set("active", YamlText::flag(false));
  if (constraint.kind == Constraint::Kind::kCoupler) {
    set_coupler(constraint, out);
  } else {
    set_body_pair(constraint, out);
  }
  set_softness(constraint, out);
  return out;
}

template <typename T, typename Write>
YamlText list_of(const std::vector<T>& things, Write write) {
  YamlText out = YamlText::list();
  for (const T& thing : things) out.add(write(thing));
  return out;
}

YamlText keyframe_text(YamlSink& sink, const Keyframe& keyframe, size_t index) {
  YamlText out = YamlText::map();
  std::string name = keyframe.name;
  if (name.empty()) {
    name = fmt::format("key_{}", index);
    const auto taken = [&](const Keyframe& other) { return other.name == name; };
    while (std::any_of(sink.scene.keyframes.begin(), sink.scene.keyframes.end(), taken)) name += "_";
    sink.notes.add("named", keyframe.where, "'" + name + "'", "keyframes without a name get one");
  }
  out.set("name", YamlText::text(name));
  set_number(out, "time", keyframe.time, 0);
  if (!keyframe.q.empty()) out.set("q", YamlText::numbers(keyframe.q));
  if (!keyframe.v.empty()) out.set("v", YamlText::numbers(keyframe.v));
  if (!keyframe.ctrl.empty()) out.set("ctrl", YamlText::numbers(keyframe.ctrl));
  if (!keyframe.mocap_position.empty() || !keyframe.mocap_quaternion.empty()) {
    sink.notes.add("keyframe-mocap", keyframe.where, "keyframe '" + name + "'",
                   "poses of mocap bodies in keyframes are left out");
  }
  return out;
}

}  // namespace

YamlText yaml_tendons(YamlSink& sink) { return list_of(sink.scene.tendons, tendon_text); }
YamlText yaml_actuators(YamlSink& sink) { return list_of(sink.scene.actuators, actuator_text); }
YamlText yaml_constraints(YamlSink& sink) { return list_of(sink.scene.constraints, constraint_text); }

YamlText yaml_frames(YamlSink& sink) {
  return list_of(sink.scene.frames, [](const Frame& frame) {
    YamlText out = YamlText::map();
    out.set("name", YamlText::text(frame.name));
    if (frame.body != kWorld) out.set("body", YamlText::text(frame.body));
    set_pose(out, "pose", frame.pose);
    return out;
  });
}

YamlText yaml_contact_pairs(YamlSink& sink) {
  YamlText out = YamlText::list();
  for (size_t i = 0; i < sink.scene.contact_pairs.size(); ++i) {
    const ContactPair& pair = sink.scene.contact_pairs[i];
    YamlText text = YamlText::map();
    text.set("geometry_a", YamlText::text(pair.geometry_a)).set("geometry_b", YamlText::text(pair.geometry_b));
    const std::string& material = sink.surfaces.of_pair[i];
    if (!material.empty()) text.set("material", YamlText::text(material));
    out.add(text);
  }
  return out;
}

YamlText yaml_exclusions(YamlSink& sink) {
  // The world's geometry has become a body's.
  const auto name = [&](const std::string& body) {
    return YamlText::text(body == kWorld && !sink.world_body.empty() ? sink.world_body : body);
  };
  return list_of(sink.scene.contact_exclusions, [&](const ContactExclusion& rule) {
    return YamlText::map().set("body_a", name(rule.body_a)).set("body_b", name(rule.body_b));
  });
}

YamlText yaml_keyframes(YamlSink& sink) {
  YamlText out = YamlText::list();
  for (size_t i = 0; i < sink.scene.keyframes.size(); ++i) out.add(keyframe_text(sink, sink.scene.keyframes[i], i));
  return out;
}

YamlText yaml_simulation(YamlSink& sink) {
  const SimulationOptions& options = sink.scene.simulation;
  YamlText out = YamlText::map();
  if (!options.method.empty()) out.set("method", YamlText::text(options.method));
  if (options.accuracy) out.set("accuracy", YamlText::number(*options.accuracy));
  if (options.time_step) out.set("time_step", YamlText::number(*options.time_step));
  if (options.file_time_step) out.set("file_time_step", YamlText::number(*options.file_time_step));
  if (options.until) out.set("until", YamlText::number(*options.until));
  if (!options.friction.empty()) out.set("friction", YamlText::text(options.friction));
  return out;
}

}  // namespace stickslip::convert
