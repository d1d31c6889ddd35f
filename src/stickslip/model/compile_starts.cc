#include <fmt/format.h>

#include <cmath>

#include "stickslip/math/rotation.h"
#include "stickslip/model/compiler.h"

// Starts that a model's own limits do not allow.
namespace stickslip::compiler {
namespace {

constexpr double kRoundOff = 1e-9;  // of angles that were written in degrees, and of quaternions

bool is_outside(const Range& limits, double x) {
  return x < limits.lower - kRoundOff * (1 + std::abs(limits.lower)) ||
         x > limits.upper + kRoundOff * (1 + std::abs(limits.upper));
}

void warn(Model& model, const Location& where, const std::string& what, const Range& limits, double x) {
  model.warnings.push_back(
      {"start-outside-limits", where,
       fmt::format(
           "{} starts at {:.6g}, outside its limits {:.6g} to {:.6g}, which push it back from the first step on", what,
           x, limits.lower, limits.upper)});
}

// Each degree of freedom of a planar or universal joint keeps to the same range; of a ball joint the angle does.
void warn_of_joint(Model& model, const JointInfo& joint) {
  const std::string what = fmt::format("joint '{}'", joint.name);
  const auto q = model.q0.segment(joint.q_start, joint.nq);
  if (joint.type == JointType::kBall) {
    const Range limits{-kInfinity, joint.limits.upper};
    const double angle = log_quaternion(Quaterniond(q[0], q[1], q[2], q[3])).norm();
    if (is_outside(limits, angle)) warn(model, joint.where, what, limits, angle);
  } else if (joint.nq == joint.nv) {
    for (const double x : q) {
      if (is_outside(joint.limits, x)) return warn(model, joint.where, what, joint.limits, x);
    }
  }
}

}  // namespace

void warn_of_starts(Context& context) {
  Model& model = context.model;
  for (const JointInfo& joint : model.joints) {
    if (joint.limits.bounded()) warn_of_joint(model, joint);
  }
  for (size_t i = 0; i < model.tendons.size(); ++i) {
    const TendonInfo& tendon = model.tendons[i];
    double length = 0;
    for (const TendonInfo::Term& term : tendon.terms) length += term.coefficient * model.q0[term.q];
    if (!is_outside(tendon.limits, length)) continue;
    warn(model, context.scene.tendons[i].where, fmt::format("tendon '{}'", tendon.name), tendon.limits, length);
  }
}

}  // namespace stickslip::compiler
