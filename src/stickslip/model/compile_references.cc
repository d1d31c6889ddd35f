#include <fmt/format.h>

#include "stickslip/model/bounds.h"
#include "stickslip/model/compiler.h"

namespace stickslip::compiler {
namespace {

const JointInfo& one_dof_joint(const Context& context, const std::string& name, const Location& where) {
  const int index = resolve(context.joint_index, name, "joint", where);
  const JointInfo& joint = context.model.joints[index];
  if (joint.nv == 1) return joint;
  throw ModelError("bad-joint", where,
                   fmt::format("joint '{}' has {} degrees of freedom, expected one", name, joint.nv), name,
                   "name a revolute, continuous, prismatic or screw joint without prescribed motion");
}

// Names may be left out, but not shared.
void check_new_name(NameMap& map, const std::string& name, size_t index, const char* kind, const Location& where) {
  if (!name.empty()) insert_unique(map, name, static_cast<int>(index), kind, where);
}

void resolve_tendons(Context& context) {
  for (const Tendon& tendon : context.scene.tendons) {
    TendonInfo info{.name = tendon.name};
    for (const Tendon::Term& term : tendon.terms) {
      const JointInfo& joint = one_dof_joint(context, term.joint, tendon.where);
      info.terms.push_back({joint.q_start, joint.v_start, term.coefficient});
    }
    info.stiffness = tendon.stiffness;
    info.damping = tendon.damping;
    info.dry_friction = tendon.dry_friction;
    info.spring_rest = tendon.spring_rest;
    info.limits = tendon.limits;
    check_new_name(context.tendon_index, tendon.name, context.model.tendons.size(), "tendon", tendon.where);
    context.model.tendons.push_back(std::move(info));
  }
}

void resolve_actuators(Context& context) {
  Model& model = context.model;
  model.nu = static_cast<int>(context.scene.actuators.size());
  model.ctrl0.setZero(model.nu);
  NameMap names;
  for (const Actuator& actuator : context.scene.actuators) {
    check_new_name(names, actuator.name, model.actuators.size(), "actuator", actuator.where);
    ActuatorInfo info{.name = actuator.name, .type = actuator.type};
    info.gear = actuator.gear;
    info.gain = actuator.gain;
    info.bias = actuator.bias;
    info.control_limits = actuator.control_limits;
    info.force_limits = actuator.force_limits;
    if (!actuator.tendon.empty()) {
      info.tendon = resolve(context.tendon_index, actuator.tendon, "tendon", actuator.where);
    } else if (!actuator.is_idle()) {
      info.joint = resolve(context.joint_index, actuator.joint, "joint", actuator.where);
    }
    model.ctrl0[static_cast<Eigen::Index>(model.actuators.size())] = actuator.control;
    model.actuators.push_back(std::move(info));
  }
}

void resolve_constraints(Context& context) {
  for (const Constraint& constraint : context.scene.constraints) {
    ConstraintInfo info{.description = constraint};
    if (constraint.kind == Constraint::Kind::kCoupler) {
      const NameMap& map = constraint.couples_tendons ? context.tendon_index : context.joint_index;
      const char* kind = constraint.couples_tendons ? "tendon" : "joint";
      info.joint_a = resolve(map, constraint.joint_a, kind, constraint.where);
      if (!constraint.joint_b.empty()) info.joint_b = resolve(map, constraint.joint_b, kind, constraint.where);
    } else {
      info.body_a = resolve(context.body_index, constraint.body_a, "body", constraint.where);
      info.body_b = resolve(context.body_index, constraint.body_b, "body", constraint.where);
    }
    context.model.constraints.push_back(std::move(info));
  }
}

void resolve_frames(Context& context) {
  for (const Frame& frame : context.scene.frames) {
    context.model.frames.push_back(
        {frame.name, resolve(context.body_index, frame.body, "body", frame.where), frame.pose});
  }
}

void resolve_contact_rules(Context& context) {
  for (const ContactExclusion& rule : context.scene.contact_exclusions) {
    context.model.contact_exclusions.emplace_back(resolve(context.body_index, rule.body_a, "body", rule.where),
                                                  resolve(context.body_index, rule.body_b, "body", rule.where));
  }
}

VectorXd keyframe_part(const Keyframe& keyframe, const std::vector<double>& given, const VectorXd& fallback,
                       const char* what) {
  if (given.empty()) return fallback;
  if (static_cast<Eigen::Index>(given.size()) != fallback.size()) {
    throw ModelError("bad-length", keyframe.where,
                     fmt::format("{} of keyframe '{}' has {} numbers, expected {}", what, keyframe.name, given.size(),
                                 fallback.size()),
                     "", fmt::format("give {} numbers", fallback.size()));
  }
  return Eigen::Map<const VectorXd>(given.data(), fallback.size());
}

// Positions and quaternions come apart in files and together in the state.
VectorXd keyframe_mocap(const Keyframe& keyframe, const VectorXd& start) {
  const Eigen::Index count = start.size() / 7;
  VectorXd positions(3 * count);
  VectorXd quaternions(4 * count);
  for (Eigen::Index i = 0; i < count; ++i) {
    positions.segment<3>(3 * i) = start.segment<3>(7 * i);
    quaternions.segment<4>(4 * i) = start.segment<4>(7 * i + 3);
  }
  positions = keyframe_part(keyframe, keyframe.mocap_position, positions, "mocap position");
  quaternions = keyframe_part(keyframe, keyframe.mocap_quaternion, quaternions, "mocap quaternion");
  VectorXd out(start.size());
  for (Eigen::Index i = 0; i < count; ++i) {
    out.segment<7>(7 * i) << positions.segment<3>(3 * i), quaternions.segment<4>(4 * i);
  }
  return out;
}

void check_keyframe(const Model& model, const Keyframe& keyframe, const KeyframeInfo& info) {
  std::optional<BadNumber> bad = find_bad_time(info.time);
  if (!bad) bad = find_bad_position(model, info.q);
  if (!bad) bad = find_bad_velocity(model, info.v);
  if (!bad) bad = find_bad_mocap(model, info.mocap);
  if (!bad) return;
  throw ModelError(bad->code, keyframe.where, fmt::format("in keyframe '{}' {}", keyframe.name, bad->message), "",
                   bad->fix);
}

void resolve_keyframes(Context& context) {
  Model& model = context.model;
  for (const Keyframe& keyframe : context.scene.keyframes) {
    KeyframeInfo info{.name = keyframe.name, .time = keyframe.time};
    info.q = keyframe_part(keyframe, keyframe.q, model.q0, "q");
    info.v = keyframe_part(keyframe, keyframe.v, model.v0, "v");
    info.ctrl = keyframe_part(keyframe, keyframe.ctrl, model.ctrl0, "ctrl");
    info.mocap = keyframe_mocap(keyframe, model.mocap0);
    check_keyframe(model, keyframe, info);
    model.keyframes.push_back(std::move(info));
  }
}

}  // namespace

void resolve_references(Context& context) {
  resolve_tendons(context);
  resolve_actuators(context);
  resolve_constraints(context);
  resolve_frames(context);
  resolve_contact_rules(context);
  resolve_keyframes(context);
}

}  // namespace stickslip::compiler
