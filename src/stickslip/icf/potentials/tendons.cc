#include "stickslip/icf/potentials/tendon_row.h"

#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/icf/potentials/limit_row.h"

namespace stickslip {

double tendon_length(const TendonInfo& tendon, const State& state) {
  double length = 0;
  for (const TendonInfo::Term& term : tendon.terms) length += term.coefficient * state.q[term.q];
  return length;
}

void add_tendon_coefficients(const TendonInfo& tendon, double scale, RowList& rows) {
  for (const TendonInfo::Term& term : tendon.terms) rows.coefficient(term.v, scale * term.coefficient);
}

namespace {

// Slack between the ends of spring_rest: there it damps only.
void add_spring(const RowContext& context, const TendonInfo& tendon, double length, RowList& rows) {
  if (tendon.stiffness == 0 && tendon.damping == 0) return;
  const double stretch = length - std::clamp(length, tendon.spring_rest.lower, tendon.spring_rest.upper);
  add_tendon_coefficients(tendon, 1, rows);
  finish_force(
      context,
      {.kind = RowKind::kTendon,
       .offset = -tendon.stiffness * stretch,
       .stiffness = stretch != 0 || tendon.spring_rest.lower == tendon.spring_rest.upper ? tendon.stiffness : 0,
       .damping = tendon.damping,
       .lower = -kInfinity,
       .upper = kInfinity},
      rows);
}

void add_limits(const RowContext& context, const TendonInfo& tendon, double length, RowList& rows) {
  if (tendon.limits.lower > -kInfinity) {
    add_tendon_coefficients(tendon, 1, rows);
    finish_limit(context, length - tendon.limits.lower, rows);
  }
  if (tendon.limits.upper < kInfinity) {
    add_tendon_coefficients(tendon, -1, rows);
    finish_limit(context, tendon.limits.upper - length, rows);
  }
}

}  // namespace

void add_tendons(const RowContext& context, RowList& rows) {
  for (const TendonInfo& tendon : context.model.tendons) {
    const double length = tendon_length(tendon, context.state);
    add_spring(context, tendon, length, rows);
    add_limits(context, tendon, length, rows);
  }
}

}  // namespace stickslip
