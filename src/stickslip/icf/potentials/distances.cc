#include <algorithm>
#include <cmath>

#include "stickslip/icf/potentials/body_row.h"
#include "stickslip/icf/potentials/kinds.h"

namespace stickslip {

void add_distances(const RowContext& context, RowList& rows) {
  for (const ConstraintInfo& constraint : context.model.constraints) {
    if (constraint.description.kind != Constraint::Kind::kDistance || !constraint.description.active) continue;
    const FramePair frames = constrained_frames(context, constraint);
    const Vector3d between = frames.X_WB.position - frames.X_WA.position;
    const double length = between.norm();
    // Points that coincide have no direction of their own: any will part them.
    const Vector3d direction = length > 0 ? Vector3d(between / length) : Vector3d::UnitX();
    ConstraintError error = add_relative_point_rate(context, constraint, frames, direction, rows);
    error.value = length - constraint.description.length;
    if (length > 0) {  // the points turn about each other
      const Vector3d rate = relative_velocity(context, constraint, frames);
      const double along = direction.dot(rate);
      const double squared = rate.squaredNorm() - along * along;
      error.curvature += squared / length;
      error.turning_rate = std::max(error.turning_rate, std::sqrt(std::max(0.0, squared)) / length);
    }
    const double mass = rows.next_force_mass();
    finish_force(context, constraint_force(softness(constraint.description), error, mass, context.scales), rows);
  }
}

}  // namespace stickslip
