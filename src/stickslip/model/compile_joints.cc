#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "stickslip/math/rotation.h"
#include "stickslip/model/bounds.h"
#include "stickslip/model/compiler.h"

namespace stickslip::compiler {
namespace {

bool can_be_prescribed(JointType type) {
  return type == JointType::kRevolute || type == JointType::kContinuous || type == JointType::kPrismatic;
}

void check_joint_motion(const Joint& joint) {
  if (!joint.motion) return;
  if (!can_be_prescribed(joint.type)) {
    throw ModelError("bad-motion", joint.where,
                     fmt::format("joint '{}' is of a type that cannot have a prescribed motion", joint.name), "",
                     "prescribe revolute, continuous or prismatic joints, or the motion of a body");
  }
  check_motion(*joint.motion, {"joint", joint.name, joint.where});
}

void check_start(const Joint& joint, const JointInfo& info) {
  const auto check = [&](const std::vector<double>& given, int expected, const char* what) {
    if (given.empty() || static_cast<int>(given.size()) == expected) return;
    throw ModelError(
        "bad-length", joint.where,
        fmt::format("{} of joint '{}' has {} numbers, expected {}", what, joint.name, given.size(), expected), "",
        fmt::format("give {} numbers", expected));
  };
  check(joint.position, info.nq, "position");
  check(joint.velocity, info.nv, "velocity");
}

}  // namespace

Vector3d unit_axis(const Vector3d& axis, const Owner& owner) {
  const double norm = axis.stableNorm();
  if (!(norm > 0) || !axis.allFinite()) {
    throw ModelError("zero-axis", owner.where, fmt::format("axis of {} '{}' has no direction", owner.kind, owner.name),
                     "", "give a vector that is not zero, such as [0, 0, 1]");
  }
  // Axes that are unit to round-off stay as written, so that aligned ones remain exact.
  return std::abs(norm - 1) < 1e-15 ? axis : axis.stableNormalized();
}

namespace {

[[noreturn]] void refuse_motion(const Owner& owner, const std::string& complaint, const std::string& fix) {
  throw ModelError("bad-motion", owner.where, fmt::format("motion of {} '{}' {}", owner.kind, owner.name, complaint),
                   "", fix);
}

void require_within(double value, double bound, const char* what, const Owner& owner) {
  if (std::abs(value) <= bound) return;
  refuse_motion(owner, fmt::format("has {} of {}", what, value), fmt::format("stay within {:g}", bound));
}

void check_table(const Motion& motion, const Owner& owner) {
  const std::vector<double>&t = motion.times, &s = motion.values;
  const bool increases = std::ranges::adjacent_find(t, std::greater_equal{}) == t.end();
  if (!increases || t.size() != s.size())
    refuse_motion(owner,
                  fmt::format("has a table of {} times, which {}, and {} values", t.size(),
                              increases ? "increase" : "do not increase", s.size()),
                  "give one value a time, and times that increase");
  for (size_t i = 0; i < t.size(); ++i) {
    require_within(t[i], kLargestTime, "a time", owner);
    require_within(s[i], kLargestMotion, "a position", owner);
    if (i == 0) continue;
    if (t[i] - t[i - 1] < kShortestInterval)
      refuse_motion(owner, fmt::format("has rows at {} s and {} s", t[i - 1], t[i]),
                    fmt::format("leave at least {:g} s between rows", kShortestInterval));
    require_within((s[i] - s[i - 1]) / (t[i] - t[i - 1]), kLargestMotion, "a velocity", owner);
  }
}

}  // namespace

void check_motion(const Motion& motion, const Owner& owner) {
  switch (motion.kind) {
    case Motion::Kind::kConstant:
      return require_within(motion.velocity, kLargestMotion, "a velocity", owner);
    case Motion::Kind::kSine:
      require_within(motion.amplitude, kLargestMotion, "an amplitude", owner);
      require_within(motion.frequency, kLargestFrequency, "a frequency", owner);
      require_within(motion.phase, kLargestMotion, "a phase", owner);
      return require_within(2 * std::numbers::pi * motion.frequency * motion.amplitude, kLargestMotion, "a velocity",
                            owner);
    case Motion::Kind::kTable:
      return check_table(motion, owner);
  }
}

std::vector<ElementaryJoint> elementary_joints(const Joint& joint) {
  using enum JointType;
  const Owner owner{"joint", joint.name, joint.where};
  switch (joint.type) {
    case kFixed:
      return {};
    case kFree:
      return {{LinkKind::kFree, Vector3d::UnitZ()}};
    case kBall:
      return {{LinkKind::kBall, Vector3d::UnitZ()}};
    case kRevolute:
    case kContinuous:
      return {{LinkKind::kRevolute, unit_axis(joint.axis, owner)}};
    case kPrismatic:
      return {{LinkKind::kPrismatic, unit_axis(joint.axis, owner)}};
    case kScrew:
      return {{LinkKind::kScrew, unit_axis(joint.axis, owner)}};
    case kUniversal:
      return {{LinkKind::kRevolute, unit_axis(joint.axis, owner)},
              {LinkKind::kRevolute, unit_axis(joint.axis2, owner)}};
    case kPlanar: {
      const Matrix3d R = rotation_from_z(unit_axis(joint.axis, owner));
      return {{LinkKind::kPrismatic, R.col(0)}, {LinkKind::kPrismatic, R.col(1)}, {LinkKind::kRevolute, R.col(2)}};
    }
  }
  return {};
}

void lay_out_joints(Context& context) {
  Model& model = context.model;
  for (size_t body = 1; body < model.bodies.size(); ++body) {
    for (const Joint& joint : context.joints_of_body[body]) {
      check_joint_motion(joint);
      if (joint.type == JointType::kFixed) continue;
      JointInfo info{.name = joint.name, .where = joint.where, .type = joint.type};
      info.parent = context.body_index.at(joint.parent);
      info.child = static_cast<int>(body);
      info.limits = joint.limits;
      info.dry_friction = joint.dry_friction;
      info.velocity_limit = joint.velocity_limit;
      info.effort_limit = joint.effort_limit;
      info.q_start = model.nq;
      info.v_start = model.nv;
      for (const ElementaryJoint& part : elementary_joints(joint)) {
        if (joint.motion) break;
        info.nq += position_count(part.kind);
        info.nv += velocity_count(part.kind);
      }
      check_start(joint, info);
      model.nq += info.nq;
      model.nv += info.nv;
      const int index = static_cast<int>(model.joints.size());
      insert_unique(context.joint_index, joint.name, index, "joint", joint.where);
      model.joints.push_back(std::move(info));
    }
  }
}

}  // namespace stickslip::compiler
