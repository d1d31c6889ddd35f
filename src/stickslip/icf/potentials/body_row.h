#pragma once

#include "stickslip/icf/potentials/limit_row.h"

// What constraints between two bodies share.
namespace stickslip {

// The two frames that a constraint concerns, world axes.
struct FramePair {
  Pose X_WA, X_WB;
};

inline FramePair constrained_frames(const PoseContext& context, const ConstraintInfo& constraint) {
  return {body_pose(context.model, context.kinematics, constraint.body_a) * constraint.description.pose_a,
          body_pose(context.model, context.kinematics, constraint.body_b) * constraint.description.pose_b};
}

// Adds the velocity of B minus that of A, of the frames' origins or of their rotation, along a direction to the pending
// row. Returns what it does not say of that rate: the part of prescribed motion, and its change at constant v.
ConstraintError add_relative_point_rate(const RowContext& context, const ConstraintInfo& constraint,
                                        const FramePair& frames, const Vector3d& direction, RowList& rows);
ConstraintError add_relative_turn_rate(const RowContext& context, const ConstraintInfo& constraint,
                                       const Vector3d& direction, RowList& rows);

// v_B - v_A of the frames' origins.
Vector3d relative_velocity(const RowContext& context, const ConstraintInfo& constraint, const FramePair& frames);

}  // namespace stickslip
