#include <algorithm>
#include <cmath>

#include "stickslip/icf/potentials/body_row.h"
#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/icf/potentials/point_rows.h"

namespace stickslip {

void add_distances(const RowContext& context, RowList& rows) {
  for_each_constraint(context.model, Constraint::Kind::kDistance, [&](const ConstraintInfo& constraint) {
    const FramePair frames = constrained_frames(context, constraint);
    const Vector3d between = point_gap(frames);
    const double length = between.norm();
    // Points that coincide have no direction of their own: any will part them.
    const Vector3d direction = length > 0 ? Vector3d(between / length) : Vector3d::UnitX();
    ConstraintError error = add_relative_point_rate(context, constraint, frames, direction, rows);
    error.value = length - constraint.description.length;
    error.size = std::abs(error.value);
    if (length > 0) {  // the points turn about each other
      const Vector3d rate = relative_velocity(context, constraint, frames);
      const double along = direction.dot(rate);
      const double squared = rate.squaredNorm() - along * along;
      error.curvature += squared / length;
      error.turning_rate = std::max(error.turning_rate, std::sqrt(std::max(0.0, squared)) / length);
    }
    finish_constraint(context, softness(constraint.description), error, rows);
  });
}

void add_distance_gaps(const PoseContext& context, std::vector<double>& gaps) {
  for_each_constraint(context.model, Constraint::Kind::kDistance, [&](const ConstraintInfo& constraint) {
    gaps.push_back(point_gap(constrained_frames(context, constraint)).norm() - constraint.description.length);
  });
}

}  // namespace stickslip
