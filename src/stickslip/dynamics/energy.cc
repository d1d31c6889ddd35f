#include "stickslip/dynamics/energy.h"

#include "stickslip/dynamics/forces.h"

namespace stickslip {
namespace {

struct CenterMotion {
  Vector3d p, v;  // centre of mass, world
};

CenterMotion center_motion(const Link& link, const LinkPose& pose, const LinkVelocity& velocity) {
  const Vector3d r = pose.R * link.inertia.center;
  return {pose.p + r, velocity.v + velocity.w.cross(r)};
}

double twice_kinetic_energy(const Model& model, const State& state, const Kinematics& kinematics, size_t i) {
  const Link& link = model.links[i];
  const Vector3d v = center_motion(link, kinematics.pose[i], kinematics.velocity[i]).v;
  const Vector3d w = kinematics.pose[i].R.transpose() * kinematics.velocity[i].w;
  const double rotor = link.armature * state.v.segment(link.v_start, velocity_count(link.kind)).squaredNorm();
  return link.inertia.mass * v.squaredNorm() + w.dot(link.inertia.inertia * w) + rotor;
}

double weight_energy(const Model& model, const Kinematics& kinematics, size_t i) {
  const Link& link = model.links[i];
  const LinkPose& pose = kinematics.pose[i];
  return -model.gravity.dot(link.inertia.mass * pose.p + pose.R * link.first_moment);
}

}  // namespace

double kinetic_energy(const Model& model, const State& state, const Kinematics& kinematics) {
  double twice = 0;
  for (size_t i = 1; i < model.links.size(); ++i) twice += twice_kinetic_energy(model, state, kinematics, i);
  return 0.5 * twice;
}

double tree_energy(const Model& model, const State& state, const Kinematics& kinematics, int tree) {
  double energy = 0;
  const Tree& own = model.trees[tree];
  for (int i = own.first_link; i < own.first_link + own.link_count; ++i) {
    energy += 0.5 * twice_kinetic_energy(model, state, kinematics, i) + weight_energy(model, kinematics, i) +
              joint_spring_energy(model, state, model.links[i]);
  }
  return energy;
}

double potential_energy(const Model& model, const State& state, const Kinematics& kinematics) {
  double energy = spring_energy(model, state);
  for (size_t i = 1; i < model.links.size(); ++i) energy += weight_energy(model, kinematics, i);
  for (size_t i = 1; i < model.bodies.size(); ++i) {
    const BodyInfo& body = model.bodies[i];
    if (body.gravity_scale == 1) continue;
    const Vector3d center = body_pose(model, kinematics, static_cast<int>(i)) * body.inertia.center;
    energy -= (body.gravity_scale - 1) * body.inertia.mass * model.gravity.dot(center);
  }
  return energy;
}

Momentum momentum(const Model& model, const Kinematics& kinematics) {
  Momentum out;
  Vector3d moment = Vector3d::Zero();
  for (size_t i = 1; i < model.links.size(); ++i) {
    const CenterMotion center = center_motion(model.links[i], kinematics.pose[i], kinematics.velocity[i]);
    const double mass = model.links[i].inertia.mass;
    out.mass += mass;
    moment += mass * center.p;
    out.linear += mass * center.v;
  }
  if (out.mass > 0) out.center = moment / out.mass;
  for (size_t i = 1; i < model.links.size(); ++i) {
    const Link& link = model.links[i];
    const CenterMotion center = center_motion(link, kinematics.pose[i], kinematics.velocity[i]);
    const Matrix3d& R = kinematics.pose[i].R;
    out.angular += link.inertia.mass * (center.p - out.center).cross(center.v) +
                   R * (link.inertia.inertia * (R.transpose() * kinematics.velocity[i].w));
  }
  return out;
}

}  // namespace stickslip
