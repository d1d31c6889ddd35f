#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/icf/potentials/limit_row.h"
#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

// Each degree of freedom of a planar or universal joint keeps to the same range.
void add_dofs(const RowContext& context, const JointInfo& joint, RowList& rows) {
  for (int k = 0; k < joint.nv; ++k) {
    const double q = context.state.q[joint.q_start + k];
    if (joint.limits.lower > -kInfinity) {
      rows.coefficient(joint.v_start + k, 1);
      finish_limit(context, q - joint.limits.lower, rows);
    }
    if (joint.limits.upper < kInfinity) {
      rows.coefficient(joint.v_start + k, -1);
      finish_limit(context, joint.limits.upper - q, rows);
    }
  }
}

// The upper value bounds the angle of rotation, which grows at the rate axis . w, in either frame's axes.
void add_ball(const RowContext& context, const JointInfo& joint, RowList& rows) {
  if (joint.limits.upper == kInfinity) return;
  const VectorXd& q = context.state.q;
  const int i = joint.q_start;
  const Vector3d turn = log_quaternion(Quaterniond(q[i], q[i + 1], q[i + 2], q[i + 3]));
  const double angle = turn.norm();
  const Vector3d axis = angle > 0 ? Vector3d(turn / angle) : Vector3d::UnitX();
  for (int k = 0; k < 3; ++k) rows.coefficient(joint.v_start + k, -axis[k]);
  finish_limit(context, joint.limits.upper - angle, rows);
}

}  // namespace

void add_joint_limits(const RowContext& context, RowList& rows) {
  for (const JointInfo& joint : context.model.joints) {
    if (!joint.limits.bounded()) continue;
    if (joint.nv == joint.nq) add_dofs(context, joint, rows);
    if (joint.type == JointType::kBall) add_ball(context, joint, rows);
  }
}

}  // namespace stickslip
