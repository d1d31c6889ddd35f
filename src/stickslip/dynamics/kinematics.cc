#include "stickslip/dynamics/kinematics.h"

#include <cmath>

#include "stickslip/dynamics/free_bodies.h"

namespace stickslip {
namespace {

Matrix3d rotation_of(const double* q) {
  const Quaterniond quaternion(q[0], q[1], q[2], q[3]);
  // Users write q: a quaternion that is off by more than round-off is read as the rotation it points to.
  const double n2 = quaternion.squaredNorm();
  if (std::abs(n2 - 1) < 1e-14) return quaternion.toRotationMatrix();
  return quaternion.normalized().toRotationMatrix();
}

// R = R_F * Rz(angle), where only two columns change.
void turn_about_z(const Matrix3d& R_WF, double angle, Matrix3d& R) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  R.col(0) = c * R_WF.col(0) + s * R_WF.col(1);
  R.col(1) = c * R_WF.col(1) - s * R_WF.col(0);
  R.col(2) = R_WF.col(2);
}

void place_prescribed(const Model& model, const State& state, const Link& link, const Matrix3d& R_WF, LinkPose& pose,
                      Vector3d& offset) {
  pose.R = R_WF;
  if (link.mocap >= 0) {
    const double* q = state.mocap.data() + 7 * link.mocap;
    offset += Vector3d(q[0], q[1], q[2]);
    pose.R = rotation_of(q + 3);
  } else if (link.motion >= 0) {
    const MotionCurve& curve = model.motions[link.motion];
    const double s = curve.at(state.time).position - link.reference;
    if (curve.rotates()) {
      turn_about_z(R_WF, s, pose.R);
    } else {
      offset += s * R_WF.col(2);
    }
  }
}

void place_link(const Model& model, const State& state, const Link& link, const LinkPose& parent, LinkPose& pose,
                Vector3d& offset) {
  const double* q = state.q.data() + link.q_start;
  offset.noalias() = parent.R * link.X_PF.position;
  Matrix3d R_WF;
  R_WF.noalias() = parent.R * link.X_PF.rotation;
  switch (link.kind) {
    case LinkKind::kRevolute:
      turn_about_z(R_WF, *q - link.reference, pose.R);
      break;
    case LinkKind::kPrismatic:
      pose.R = R_WF;
      offset += (*q - link.reference) * R_WF.col(2);
      break;
    case LinkKind::kScrew:
      turn_about_z(R_WF, *q - link.reference, pose.R);
      offset += link.pitch * (*q - link.reference) * R_WF.col(2);
      break;
    case LinkKind::kBall:
      pose.R.noalias() = R_WF * rotation_of(q);
      break;
    case LinkKind::kFree:
      pose.R.noalias() = R_WF * rotation_of(q + 3);
      offset += R_WF * Vector3d(q[0], q[1], q[2]);
      break;
    case LinkKind::kPrescribed:
      place_prescribed(model, state, link, R_WF, pose, offset);
      break;
  }
  pose.p = parent.p + offset;
}

}  // namespace

void Kinematics::resize(const Model& model) {
  pose.resize(model.links.size());
  offset.resize(model.links.size());
  velocity.resize(model.links.size());
}

void compute_poses(const Model& model, const State& state, Kinematics& kinematics) {
  kinematics.resize(model);
  compute_free_poses(model, state, kinematics);
  compute_articulated_poses(model, state, kinematics);
}

void compute_velocities(const Model& model, const State& state, Kinematics& kinematics) {
  compute_free_velocities(model, state, kinematics);
  compute_articulated_velocities(model, state, kinematics);
}

void compute_articulated_poses(const Model& model, const State& state, Kinematics& kinematics) {
  for (int index : model.articulated_trees) {
    const Tree& tree = model.trees[index];
    for (int i = tree.first_link; i < tree.first_link + tree.link_count; ++i) {
      const Link& link = model.links[i];
      place_link(model, state, link, kinematics.pose[link.parent], kinematics.pose[i], kinematics.offset[i]);
    }
  }
}

LinkPose prescribed_pose(const Model& model, const State& state, int link) {
  if (link == 0) return {};
  LinkPose pose;
  Vector3d offset;
  place_link(model, state, model.links[link], prescribed_pose(model, state, model.links[link].parent), pose, offset);
  return pose;
}

RelativeMotion relative_motion(const Model& model, const State& state, const Kinematics& kinematics, int index) {
  const Link& link = model.links[index];
  const LinkPose& pose = kinematics.pose[index];
  const double* v = state.v.data() + link.v_start;
  RelativeMotion out;
  switch (link.kind) {
    case LinkKind::kRevolute:
      out.w = *v * pose.R.col(2);
      break;
    case LinkKind::kPrismatic:
      out.v = *v * pose.R.col(2);
      break;
    case LinkKind::kScrew:
      out.w = *v * pose.R.col(2);
      out.v = link.pitch * out.w;
      break;
    case LinkKind::kBall:
      out.w = pose.R * Vector3d(v[0], v[1], v[2]);
      break;
    case LinkKind::kFree: {
      const Matrix3d& R_WP = kinematics.pose[link.parent].R;
      out.v = R_WP * (link.X_PF.rotation * Vector3d(v[0], v[1], v[2]));
      out.w = pose.R * Vector3d(v[3], v[4], v[5]);
      break;
    }
    case LinkKind::kPrescribed:
      if (link.motion >= 0) {
        const MotionCurve& curve = model.motions[link.motion];
        const MotionSample sample = curve.at(state.time);
        (curve.rotates() ? out.w : out.v) = sample.velocity * pose.R.col(2);
        (curve.rotates() ? out.alpha : out.a) = sample.acceleration * pose.R.col(2);
      }
      break;
  }
  return out;
}

void compute_articulated_velocities(const Model& model, const State& state, Kinematics& kinematics) {
  for (int index : model.articulated_trees) {
    const Tree& tree = model.trees[index];
    for (int i = tree.first_link; i < tree.first_link + tree.link_count; ++i) {
      const Link& link = model.links[i];
      const LinkPose& pose = kinematics.pose[i];
      const LinkVelocity& parent = kinematics.velocity[link.parent];
      LinkVelocity& velocity = kinematics.velocity[i];
      velocity.v = parent.v + parent.w.cross(kinematics.offset[i]);
      if (link.kind == LinkKind::kRevolute) {
        velocity.w = parent.w + state.v[link.v_start] * pose.R.col(2);
        continue;
      }
      const RelativeMotion relative = relative_motion(model, state, kinematics, i);
      velocity.v += relative.v;
      velocity.w = parent.w + relative.w;
    }
  }
}

Pose body_pose(const Model& model, const Kinematics& kinematics, int body) {
  const BodyInfo& info = model.bodies[body];
  const LinkPose& link = kinematics.pose[info.link];
  return Pose{link.R, link.p} * info.X_LB;
}

LinkVelocity body_velocity(const Model& model, const Kinematics& kinematics, int body) {
  const BodyInfo& info = model.bodies[body];
  const LinkPose& pose = kinematics.pose[info.link];
  const LinkVelocity& link = kinematics.velocity[info.link];
  return {.v = link.v + link.w.cross(pose.R * info.X_LB.position), .w = link.w};
}

}  // namespace stickslip
