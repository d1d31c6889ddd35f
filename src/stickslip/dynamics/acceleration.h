#pragma once

#include "stickslip/dynamics/kinematics.h"

namespace stickslip {

// Of a link's origin and of its rotation, world axes.
struct LinkAcceleration {
  Vector3d a = Vector3d::Zero();
  Vector3d alpha = Vector3d::Zero();
};

// Acceleration of a link's origin and of its rotation, from the parent's:
//   a = a_p + alpha_p x d + w_p x (w_p x d) + 2 w_p x v_rel + a_rel,  alpha = alpha_p + w_p x w_rel + alpha_rel.
template <bool kHasAcceleration>
inline void accelerate_link(const Model& model, const State& state, const Kinematics& kinematics, const VectorXd* vdot,
                            int i, const LinkAcceleration& parent, LinkAcceleration& out) {
  const Link& link = model.links[i];
  const LinkPose& pose = kinematics.pose[i];
  const Vector3d& d = kinematics.offset[i];
  const Vector3d& w_p = kinematics.velocity[link.parent].w;
  out.a = parent.a + parent.alpha.cross(d) + w_p.cross(w_p.cross(d));
  if (link.kind == LinkKind::kRevolute) {
    const auto axis = pose.R.col(2);
    out.alpha = parent.alpha + w_p.cross(state.v[link.v_start] * axis);
    if constexpr (kHasAcceleration) out.alpha += (*vdot)[link.v_start] * axis;
    return;
  }
  const RelativeMotion relative = relative_motion(model, state, kinematics, i);
  out.a += 2 * w_p.cross(relative.v) + relative.a;
  out.alpha = parent.alpha + w_p.cross(relative.w) + relative.alpha;
  if constexpr (kHasAcceleration) {
    const double* x = vdot->data() + link.v_start;
    switch (link.kind) {
      case LinkKind::kPrismatic:
        out.a += *x * pose.R.col(2);
        break;
      case LinkKind::kScrew:
        out.a += link.pitch * *x * pose.R.col(2);
        out.alpha += *x * pose.R.col(2);
        break;
      case LinkKind::kBall:
        out.alpha += pose.R * Vector3d(x[0], x[1], x[2]);
        break;
      case LinkKind::kFree:
        out.a += kinematics.pose[link.parent].R * (link.X_PF.rotation * Vector3d(x[0], x[1], x[2]));
        out.alpha += pose.R * Vector3d(x[3], x[4], x[5]);
        break;
      default:
        break;
    }
  }
}

}  // namespace stickslip
