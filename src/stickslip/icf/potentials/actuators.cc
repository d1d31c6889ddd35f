#include <algorithm>
#include <cmath>

#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/icf/potentials/limit_row.h"
#include "stickslip/icf/potentials/tendon_row.h"

namespace stickslip {
namespace {

// force = offset - stiffness (l - l_now) - damping l', within the actuator's limits.
ForceSpec actuator_spec(const ActuatorInfo& actuator, double length, double speed, double control) {
  const double u = std::clamp(control, actuator.control_limits.lower, actuator.control_limits.upper);
  const auto total = [&](int i) { return actuator.gain[i] * u + actuator.bias[i]; };
  return {.kind = RowKind::kActuator,
          .offset = total(0) + total(1) * length,
          .stiffness = -total(1),
          .damping = -total(2),
          .lower = actuator.force_limits.lower,
          .upper = actuator.force_limits.upper,
          .speed = speed};
}

ForceSpec joint_spec(const RowContext& context, const ActuatorInfo& actuator, double control) {
  const JointInfo& joint = context.model.joints[actuator.joint];
  double speed = 0;
  for (int k = 0; k < joint.nv; ++k) speed += actuator.gear[k] * context.state.v[joint.v_start + k];
  // A joint with several degrees of freedom has no length; its actuator sees the speed along its gear.
  const double length = joint.nv == 1 ? actuator.gear[0] * context.state.q[joint.q_start] : 0;
  return actuator_spec(actuator, length, speed, control);
}

double control_of(const RowContext& context, size_t actuator) {
  return context.state.ctrl[static_cast<Eigen::Index>(actuator)];
}

bool shares_a_limit(const RowContext& context, const ActuatorInfo& actuator) {
  if (actuator.joint < 0) return false;
  const JointInfo& joint = context.model.joints[actuator.joint];
  return joint.nv == 1 && joint.effort_limit < kInfinity;
}

void add_joint_actuator(const RowContext& context, const ActuatorInfo& actuator, double control, RowList& rows) {
  const JointInfo& joint = context.model.joints[actuator.joint];
  if (joint.nv == 0) return;
  const ForceSpec spec = joint_spec(context, actuator, control);
  for (int k = 0; k < joint.nv; ++k) rows.coefficient(joint.v_start + k, actuator.gear[k]);
  finish_force(context, spec, rows);
}

void add_tendon_actuator(const RowContext& context, const ActuatorInfo& actuator, double control, RowList& rows) {
  const TendonInfo& tendon = context.model.tendons[actuator.tendon];
  const double gear = actuator.gear[0];
  double speed = 0;
  for (const TendonInfo::Term& term : tendon.terms) speed += gear * term.coefficient * context.state.v[term.v];
  add_tendon_coefficients(tendon, gear, rows);
  finish_force(context, actuator_spec(actuator, gear * tendon_length(tendon, context.state), speed, control), rows);
}

// The sum of a joint's actuators within the joint's effort limit, as one row. An actuator at its own limit counts as a
// constant.
void add_limited_joint(const RowContext& context, int index, RowList& rows) {
  const JointInfo& joint = context.model.joints[index];
  ForceSpec sum{.kind = RowKind::kActuator,
                .lower = -joint.effort_limit,
                .upper = joint.effort_limit,
                .speed = context.state.v[joint.v_start]};
  int count = 0;
  for (size_t i = 0; i < context.model.actuators.size(); ++i) {
    const ActuatorInfo& actuator = context.model.actuators[i];
    if (actuator.joint != index) continue;
    const double gear = actuator.gear[0];
    const ForceSpec spec = joint_spec(context, actuator, control_of(context, i));
    const double wanted = spec.offset - spec.damping * spec.speed;
    const double given = std::clamp(wanted, spec.lower, spec.upper);
    ++count;
    if (given != wanted) {
      sum.offset += gear * given;
      continue;
    }
    sum.offset += gear * spec.offset;
    sum.stiffness += gear * gear * spec.stiffness;
    sum.damping += gear * gear * spec.damping;
  }
  if (count == 0) return;
  rows.coefficient(joint.v_start, 1);
  finish_force(context, sum, rows);
}

}  // namespace

void add_actuators(const RowContext& context, RowList& rows) {
  const Model& model = context.model;
  for (size_t i = 0; i < model.actuators.size(); ++i) {
    const ActuatorInfo& actuator = model.actuators[i];
    if (shares_a_limit(context, actuator)) continue;
    if (actuator.tendon >= 0) add_tendon_actuator(context, actuator, control_of(context, i), rows);
    if (actuator.joint >= 0) add_joint_actuator(context, actuator, control_of(context, i), rows);
  }
  if (model.actuators.empty()) return;
  for (size_t j = 0; j < model.joints.size(); ++j) {
    if (model.joints[j].nv == 1 && model.joints[j].effort_limit < kInfinity)
      add_limited_joint(context, static_cast<int>(j), rows);
  }
}

}  // namespace stickslip
