#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/icf/potentials/limit_row.h"

namespace stickslip {
namespace {

// Up to `most` against the motion, proportional to it below the stiction speed.
ForceSpec dry_force(double most, const TimeScales& scales) {
  return {.kind = RowKind::kFriction, .damping = most / scales.joint_stiction, .lower = -most, .upper = most};
}

}  // namespace

void add_dry_friction(const RowContext& context, RowList& rows) {
  for (const JointInfo& joint : context.model.joints) {
    if (joint.dry_friction == 0) continue;
    for (int k = 0; k < joint.nv; ++k) {
      rows.coefficient(joint.v_start + k, 1);
      finish_force(context, dry_force(joint.dry_friction, context.scales), rows);
    }
  }
  for (const TendonInfo& tendon : context.model.tendons) {
    if (tendon.dry_friction == 0) continue;
    for (const TendonInfo::Term& term : tendon.terms) rows.coefficient(term.v, term.coefficient);
    finish_force(context, dry_force(tendon.dry_friction, context.scales), rows);
  }
}

}  // namespace stickslip
