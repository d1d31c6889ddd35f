#include "stickslip/icf/potentials/body_row.h"
#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/icf/potentials/point_rows.h"

namespace stickslip {
void add_point_rows(const RowContext& context, const ConstraintInfo& constraint, const FramePair& frames,
                    RowList& rows) {
  const Vector3d gap = point_gap(frames);
  for (int k = 0; k < 3; ++k) {
    ConstraintError error = add_relative_point_rate(context, constraint, frames, Vector3d::Unit(k), rows);
    error.value = gap[k];
    error.size = gap.norm();
    finish_constraint(context, softness(constraint.description), error, rows);
  }
  rows.tie_forces(3);
}

void add_balls(const RowContext& context, RowList& rows) {
  for_each_constraint(context.model, Constraint::Kind::kBall, [&](const ConstraintInfo& constraint) {
    add_point_rows(context, constraint, constrained_frames(context, constraint), rows);
  });
}

void add_ball_gaps(const PoseContext& context, std::vector<double>& gaps) {
  for_each_constraint(context.model, Constraint::Kind::kBall, [&](const ConstraintInfo& constraint) {
    const Vector3d gap = point_gap(constrained_frames(context, constraint));
    gaps.insert(gaps.end(), gap.begin(), gap.end());
  });
}

}  // namespace stickslip
