#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/icf/potentials/point_rows.h"
#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

// The rotation from A to B, as a vector in world axes.
Vector3d misalignment(const FramePair& frames) {
  const Matrix3d turn = frames.X_WB.rotation * frames.X_WA.rotation.transpose();
  return log_quaternion(Quaterniond(turn));
}

}  // namespace

// The origins coincide, and so do the axes: the rotation from A to B changes at w_B - w_A while it is small.
void add_welds(const RowContext& context, RowList& rows) {
  for_each_constraint(context.model, Constraint::Kind::kWeld, [&](const ConstraintInfo& constraint) {
    const FramePair frames = constrained_frames(context, constraint);
    add_point_rows(context, constraint, frames, rows);
    const Vector3d gap = misalignment(frames);
    for (int k = 0; k < 3; ++k) {
      ConstraintError error = add_relative_turn_rate(context, constraint, Vector3d::Unit(k), rows);
      error.value = gap[k];
      error.size = gap.norm();
      finish_constraint(context, rotational_softness(constraint.description), error, rows);
    }
    rows.tie_forces(3);
  });
}

void add_weld_gaps(const PoseContext& context, std::vector<double>& gaps) {
  for_each_constraint(context.model, Constraint::Kind::kWeld, [&](const ConstraintInfo& constraint) {
    const FramePair frames = constrained_frames(context, constraint);
    for (const Vector3d& gap : {point_gap(frames), misalignment(frames)})
      gaps.insert(gaps.end(), gap.begin(), gap.end());
  });
}

}  // namespace stickslip
