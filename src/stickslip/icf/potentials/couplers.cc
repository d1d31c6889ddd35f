#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/icf/potentials/limit_row.h"
#include "stickslip/icf/potentials/tendon_row.h"

namespace stickslip {
namespace {

// A coupled quantity: a joint's position measured from its reference, or a tendon's length measured alike.
double joint_value(const RowContext& context, int joint) {
  const JointInfo& info = context.model.joints[joint];
  return context.state.q[info.q_start] - context.model.links[info.link].reference;
}

double tendon_value(const RowContext& context, int tendon) {
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

}  // namespace

// q_a - P(q_b) = 0, at the rate q_a' - P'(q_b) q_b'.
void add_couplers(const RowContext& context, RowList& rows) {
  for (const ConstraintInfo& constraint : context.model.constraints) {
    const Constraint& description = constraint.description;
    if (description.kind != Constraint::Kind::kCoupler || !description.active) continue;
    const bool tendons = description.couples_tendons;
    const auto value = [&](int i) { return tendons ? tendon_value(context, i) : joint_value(context, i); };
    const double x = constraint.joint_b >= 0 ? value(constraint.joint_b) : 0;
    const Polynomial target = evaluate(description.coefficients, x);
    add_rate(context, tendons, constraint.joint_a, 1, rows);
    if (constraint.joint_b >= 0) add_rate(context, tendons, constraint.joint_b, -target.slope, rows);
    const ConstraintError error{.value = value(constraint.joint_a) - target.value};
    finish_force(context, constraint_force(softness(description), error, rows.next_force_mass(), context.scales), rows);
  }
}

}  // namespace stickslip
