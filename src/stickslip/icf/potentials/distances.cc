#include "stickslip/icf/potentials/body_row.h"
#include "stickslip/icf/potentials/kinds.h"

namespace stickslip {
namespace {

ForceSpec distance_force(const Constraint& description, double error, double bias, double mass,
                         const TimeScales& scales) {
  if (!description.stiffness) return holonomic_force(error, bias, mass, scales);
  const double k = *description.stiffness;
  return {.bias = bias,
          .offset = -k * error,
          .stiffness = k,
          .damping = description.dissipation.value_or(0),
          .lower = -kInfinity,
          .upper = kInfinity};
}

}  // namespace

void add_distances(const RowContext& context, RowList& rows) {
  for (const ConstraintInfo& constraint : context.model.constraints) {
    if (constraint.description.kind != Constraint::Kind::kDistance || !constraint.description.active) continue;
    const FramePair frames = constrained_frames(context, constraint);
    const Vector3d between = frames.X_WB.position - frames.X_WA.position;
    const double length = between.norm();
    // Points that coincide have no direction of their own: any will part them.
    const Vector3d direction = length > 0 ? Vector3d(between / length) : Vector3d::UnitX();
    const double bias = add_relative_point_rate(context, constraint, frames, direction, rows);
    const double error = length - constraint.description.length;
    const double mass = rows.next_force_mass();
    finish_force(context, distance_force(constraint.description, error, bias, mass, context.scales), rows);
  }
}

}  // namespace stickslip
