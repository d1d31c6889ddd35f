#include "stickslip/dynamics/inverse_dynamics.h"

#include "stickslip/dynamics/free_bodies.h"

namespace stickslip {
namespace {

// Newton and Euler for one link about its origin. Inertia is constant in the link's axes, so we turn the vectors, not
// I.
Wrench inertial_wrench(const Link& link, const LinkPose& pose, const LinkVelocity& velocity,
                       const LinkAcceleration& acc) {
  const Vector3d w = pose.R.transpose() * velocity.w;
  const Vector3d alpha = pose.R.transpose() * acc.alpha;
  const Vector3d a = pose.R.transpose() * acc.a;
  const Vector3d& h = link.first_moment;
  const Vector3d f = link.inertia.mass * a + alpha.cross(h) + w.cross(w.cross(h));
  const Vector3d n = h.cross(a) + link.inertia_at_origin * alpha + w.cross(Vector3d(link.inertia_at_origin * w));
  return {pose.R * f, pose.R * n};
}

// Projects the wrench that a link's joint transmits onto the joint's degrees of freedom.
void project(const Model& model, const Kinematics& kinematics, int i, const Wrench& wrench, VectorXd& tau) {
  const Link& link = model.links[i];
  const LinkPose& pose = kinematics.pose[i];
  double* out = tau.data() + link.v_start;
  switch (link.kind) {
    case LinkKind::kRevolute:
      *out = pose.R.col(2).dot(wrench.n);
      break;
    case LinkKind::kPrismatic:
      *out = pose.R.col(2).dot(wrench.f);
      break;
    case LinkKind::kScrew:
      *out = pose.R.col(2).dot(wrench.n + link.pitch * wrench.f);
      break;
    case LinkKind::kBall:
      Eigen::Map<Vector3d>(out).noalias() = pose.R.transpose() * wrench.n;
      break;
    case LinkKind::kFree: {
      const Matrix3d& R_WP = kinematics.pose[link.parent].R;
      Eigen::Map<Vector3d>(out).noalias() = link.X_PF.rotation.transpose() * (R_WP.transpose() * wrench.f);
      Eigen::Map<Vector3d>(out + 3).noalias() = pose.R.transpose() * wrench.n;
      break;
    }
    case LinkKind::kPrescribed:
      break;
  }
}

template <bool kHasAcceleration>
void tree_inverse_dynamics(const Model& model, const Tree& tree, const State& state, const Kinematics& kinematics,
                           const VectorXd* vdot, VectorXd& tau, InverseDynamicsWorkspace& workspace) {
  const int end = tree.first_link + tree.link_count;
  for (int i = tree.first_link; i < end; ++i) {
    const Link& link = model.links[i];
    LinkAcceleration& acceleration = workspace.acceleration[i];
    accelerate_link<kHasAcceleration>(model, state, kinematics, vdot, i, workspace.acceleration[link.parent],
                                      acceleration);
    workspace.force[i] = inertial_wrench(link, kinematics.pose[i], kinematics.velocity[i], acceleration);
  }
  for (int i = end - 1; i >= tree.first_link; --i) {
    const Link& link = model.links[i];
    const Wrench& wrench = workspace.force[i];
    project(model, kinematics, i, wrench, tau);
    if (kHasAcceleration && link.armature != 0) {
      for (int k = 0; k < velocity_count(link.kind); ++k)
        tau[link.v_start + k] += link.armature * (*vdot)[link.v_start + k];
    }
    Wrench& parent = workspace.force[link.parent];
    parent.f += wrench.f;
    parent.n += wrench.n + kinematics.offset[i].cross(wrench.f);
  }
}

// M vdot of a lone free body on top of its bias.
void add_free_body_inertia(const Model& model, const Tree& tree, const Kinematics& kinematics, const VectorXd& vdot,
                           VectorXd& tau) {
  const Link& link = model.links[tree.first_link];
  const Matrix3d& R = kinematics.pose[tree.first_link].R;
  const Vector3d a = vdot.segment<3>(link.v_start);
  const Vector3d alpha = vdot.segment<3>(link.v_start + 3);
  const Vector3d& h = link.first_moment;
  tau.segment<3>(link.v_start) += link.inertia.mass * a + R * alpha.cross(h);
  tau.segment<3>(link.v_start + 3) += link.inertia_at_origin * alpha + h.cross(R.transpose() * a);
  tau.segment<6>(link.v_start) += link.armature * vdot.segment<6>(link.v_start);
}

template <bool kHasAcceleration>
void articulated_inverse_dynamics(const Model& model, const State& state, const Kinematics& kinematics,
                                  const VectorXd* vdot, VectorXd& tau, InverseDynamicsWorkspace& workspace) {
  if (model.articulated_trees.empty()) return;
  workspace.acceleration.resize(model.links.size());
  workspace.force.resize(model.links.size());
  workspace.acceleration[0] = {-model.gravity, Vector3d::Zero()};
  workspace.force[0] = {};  // collects what the world carries; nobody asks
  for (int tree : model.articulated_trees) {
    tree_inverse_dynamics<kHasAcceleration>(model, model.trees[tree], state, kinematics, vdot, tau, workspace);
  }
}

}  // namespace

void inverse_dynamics(const Model& model, const State& state, const Kinematics& kinematics, const VectorXd* vdot,
                      VectorXd& tau, InverseDynamicsWorkspace& workspace) {
  tau.resize(model.nv);
  compute_free_bias(model, state, tau);
  if (!vdot) return compute_articulated_bias(model, state, kinematics, tau, workspace);
  for (int tree : model.free_trees) add_free_body_inertia(model, model.trees[tree], kinematics, *vdot, tau);
  articulated_inverse_dynamics<true>(model, state, kinematics, vdot, tau, workspace);
}

void compute_articulated_bias(const Model& model, const State& state, const Kinematics& kinematics, VectorXd& tau,
                              InverseDynamicsWorkspace& workspace) {
  articulated_inverse_dynamics<false>(model, state, kinematics, nullptr, tau, workspace);
}

}  // namespace stickslip
