#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/icf/potentials/point_rows.h"
#include "stickslip/math/rotation.h"

namespace stickslip {

// The origins coincide, and so do the axes: the rotation from A to B, as a vector in world axes, changes at w_B - w_A
// while it is small.
void add_welds(const RowContext& context, RowList& rows) {
  for (const ConstraintInfo& constraint : context.model.constraints) {
    if (constraint.description.kind != Constraint::Kind::kWeld || !constraint.description.active) continue;
    const FramePair frames = constrained_frames(context, constraint);
    add_point_rows(context, constraint, frames, rows);
    const Matrix3d turn = frames.X_WB.rotation * frames.X_WA.rotation.transpose();
    const Vector3d misalignment = log_quaternion(Quaterniond(turn));
    const Softness rotation = rotational_softness(constraint.description);
    for (int k = 0; k < 3; ++k) {
      ConstraintError error = add_relative_turn_rate(context, constraint, Vector3d::Unit(k), rows);
      error.value = misalignment[k];
      const double mass = rows.next_force_mass();
      finish_force(context, constraint_force(rotation, error, mass, context.scales), rows);
    }
    rows.tie_forces(3);
  }
}

}  // namespace stickslip
