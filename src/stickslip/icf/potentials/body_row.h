#pragma once

#include "stickslip/icf/potentials/limit_row.h"

// What constraints between two bodies share.
namespace stickslip {

// The two frames that a constraint concerns, world axes.
struct FramePair {
  Pose X_WA, X_WB;
};

inline FramePair constrained_frames(const RowContext& context, const ConstraintInfo& constraint) {
  return {body_pose(context.model, context.kinematics, constraint.body_a) * constraint.description.pose_a,
          body_pose(context.model, context.kinematics, constraint.body_b) * constraint.description.pose_b};
}

// The velocity of B minus that of A, of the frames' origins or of their angular velocities, along a direction. Returns
// the bias: what prescribed motion contributes.
double add_relative_turn_rate(const RowContext& context, const ConstraintInfo& constraint, const Vector3d& direction,
                              RowList& rows);

double add_relative_point_rate(const RowContext& context, const ConstraintInfo& constraint, const FramePair& frames,
                               const Vector3d& direction, RowList& rows);

}  // namespace stickslip
