#include "stickslip/icf/potentials/body_row.h"
#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/icf/potentials/point_rows.h"

namespace stickslip {

void add_point_rows(const RowContext& context, const ConstraintInfo& constraint, const FramePair& frames,
                    RowList& rows) {
  const Vector3d gap = frames.X_WB.position - frames.X_WA.position;
  for (int k = 0; k < 3; ++k) {
    ConstraintError error = add_relative_point_rate(context, constraint, frames, Vector3d::Unit(k), rows);
    error.value = gap[k];
    finish_force(context,
                 constraint_force(softness(constraint.description), error, rows.next_force_mass(), context.scales),
                 rows);
  }
  rows.tie_forces(3);
}

void add_balls(const RowContext& context, RowList& rows) {
  for (const ConstraintInfo& constraint : context.model.constraints) {
    if (constraint.description.kind != Constraint::Kind::kBall || !constraint.description.active) continue;
    add_point_rows(context, constraint, constrained_frames(context, constraint), rows);
  }
}

}  // namespace stickslip
