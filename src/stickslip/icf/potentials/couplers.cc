#include <algorithm>
#include <cmath>

#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/icf/potentials/limit_row.h"
#include "stickslip/icf/potentials/tendon_row.h"

namespace stickslip {
namespace {

// A coupled quantity: a joint's position measured from its reference, or a tendon's length measured alike.
double joint_value(const PoseContext& context, int joint) {
  const JointInfo& info = context.model.joints[joint];
  return context.state.q[info.q_start] - context.model.links[info.link].reference;
}

double tendon_value(const PoseContext& context, int tendon) {
  const TendonInfo& info = context.model.tendons[tendon];
  double reference = 0;
  for (const JointInfo& joint : context.model.joints) {
    for (const TendonInfo::Term& term : info.terms) {
      if (term.v == joint.v_start && joint.nv == 1)
        reference += term.coefficient * context.model.links[joint.link].reference;
    }
  }
  return tendon_length(info, context.state) - reference;
}

void add_rate(const RowContext& context, bool tendons, int index, double scale, RowList& rows) {
  if (tendons) return add_tendon_coefficients(context.model.tendons[index], scale, rows);
  const JointInfo& joint = context.model.joints[index];
  if (joint.nv == 1) rows.coefficient(joint.v_start, scale);
}

struct Polynomial {
  double value = 0, slope = 0;
};

Polynomial evaluate(const std::array<double, 5>& c, double x) {
  Polynomial out;
  for (int i = 4; i >= 0; --i) {
    out.slope = out.slope * x + out.value;
    out.value = out.value * x + c[i];
  }
  return out;
}

double value_of(const PoseContext& context, const ConstraintInfo& constraint, int i) {
  return constraint.description.couples_tendons ? tendon_value(context, i) : joint_value(context, i);
}

Polynomial target_of(const PoseContext& context, const ConstraintInfo& constraint) {
  const double x = constraint.joint_b >= 0 ? value_of(context, constraint, constraint.joint_b) : 0;
  return evaluate(constraint.description.coefficients, x);
}

}  // namespace

// q_a - P(q_b) = 0, at the rate q_a' - P'(q_b) q_b'.
void add_couplers(const RowContext& context, RowList& rows) {
  for_each_constraint(context.model, Constraint::Kind::kCoupler, [&](const ConstraintInfo& constraint) {
    const bool tendons = constraint.description.couples_tendons;
    const Polynomial target = target_of(context, constraint);
    add_rate(context, tendons, constraint.joint_a, 1, rows);
    if (constraint.joint_b >= 0) add_rate(context, tendons, constraint.joint_b, -target.slope, rows);
    const double off = value_of(context, constraint, constraint.joint_a) - target.value;
    const ConstraintError error{.value = off, .size = std::abs(off), .unit = rows.next_force_unit()};
    finish_constraint(context, softness(constraint.description), error, rows);
  });
}

void add_coupler_gaps(const PoseContext& context, std::vector<double>& gaps) {
  for_each_constraint(context.model, Constraint::Kind::kCoupler, [&](const ConstraintInfo& constraint) {
    gaps.push_back(value_of(context, constraint, constraint.joint_a) - target_of(context, constraint).value);
  });
}

bool has_curved_gaps(const Model& model) {
  return std::any_of(model.constraints.begin(), model.constraints.end(), [](const ConstraintInfo& constraint) {
    const Constraint& x = constraint.description;
    const bool is_straight =
        x.kind == Constraint::Kind::kCoupler &&
        (constraint.joint_b < 0 ||
         std::all_of(x.coefficients.begin() + 2, x.coefficients.end(), [](double c) { return c == 0; }));
    return x.active && !is_straight;
  });
}

}  // namespace stickslip
