#include "stickslip/dynamics/forces.h"

#include <algorithm>
#include <cmath>

#include "stickslip/dynamics/unit_motion.h"
#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

Vector3d rotation_between(const VectorXd& q0, const VectorXd& q1, int start) {
  const Quaterniond a(q0[start], q0[start + 1], q0[start + 2], q0[start + 3]);
  const Quaterniond b(q1[start], q1[start + 1], q1[start + 2], q1[start + 3]);
  return log_quaternion(a.conjugate() * b);
}

// Calls visit(link, v index, stretch) for each degree of freedom with a spring.
template <typename Visit>
void for_each_spring(const Model& model, const State& state, const Link& link, Visit&& visit) {
  if (link.stiffness == 0) return;
  const int translations = link.kind == LinkKind::kBall ? 0 : std::min(velocity_count(link.kind), 3);
  for (int k = 0; k < translations; ++k)
    visit(link, link.v_start + k, state.q[link.q_start + k] - model.q_spring[link.q_start + k]);
  if (link.kind != LinkKind::kBall && link.kind != LinkKind::kFree) return;
  const Vector3d turn = rotation_between(model.q_spring, state.q, link.q_start + translations);
  for (int k = 0; k < 3; ++k) visit(link, link.v_start + translations + k, turn[k]);
}

template <typename Visit>
void for_each_spring(const Model& model, const State& state, Visit&& visit) {
  for (const Link& link : model.links) for_each_spring(model, state, link, visit);
}

struct TendonMotion {
  double length = 0, speed = 0;
};

TendonMotion tendon_motion(const TendonInfo& tendon, const State& state) {
  TendonMotion out;
  for (const TendonInfo::Term& term : tendon.terms) {
    out.length += term.coefficient * state.q[term.q];
    out.speed += term.coefficient * state.v[term.v];
  }
  return out;
}

// How far a tendon is stretched beyond the range in which its spring is slack.
double tendon_stretch(const TendonInfo& tendon, double length) {
  return length - std::clamp(length, tendon.spring_rest.lower, tendon.spring_rest.upper);
}

// A force along c couples degrees of freedom: its damping matrix is d c c'. On the diagonal stands the sum of its row's
// magnitudes, which is never less than d c c' as a matrix, so that an implicit step is stable however many are coupled.
void apply_to_tendon(const TendonInfo& tendon, double force, double damping, VectorXd& tau, VectorXd& diagonal) {
  double total = 0;
  for (const TendonInfo::Term& term : tendon.terms) total += std::abs(term.coefficient);
  for (const TendonInfo::Term& term : tendon.terms) {
    tau[term.v] += term.coefficient * force;
    diagonal[term.v] += std::abs(term.coefficient) * total * damping;
  }
}

void compensate_gravity(const Model& model, const Kinematics& kinematics, AppliedForces& out) {
  out.wrenches.clear();
  for (const BodyInfo& body : model.bodies) {
    if (body.gravity_scale == 1 || body.link == 0) continue;
    out.wrenches.resize(model.links.size());
    const LinkPose& pose = kinematics.pose[body.link];
    const Vector3d force = (body.gravity_scale - 1) * body.inertia.mass * model.gravity;
    Wrench& wrench = out.wrenches[body.link];
    wrench.f += force;
    wrench.n += (pose.R * (body.X_LB * body.inertia.center)).cross(force);
  }
}

}  // namespace

ActuatorForce actuator_force(const ActuatorInfo& actuator, double length, double speed, double control) {
  const double u = std::clamp(control, actuator.control_limits.lower, actuator.control_limits.upper);
  const auto affine = [&](const std::array<double, 3>& c) { return c[0] + c[1] * length + c[2] * speed; };
  const double wanted = affine(actuator.gain) * u + affine(actuator.bias);
  const double force = std::clamp(wanted, actuator.force_limits.lower, actuator.force_limits.upper);
  return {force, force == wanted ? actuator.gain[2] * u + actuator.bias[2] : 0.0};
}

void compute_actuation(const Model& model, const State& state, VectorXd& tau, VectorXd& damping) {
  tau.setZero(model.nv);
  damping.setZero(model.nv);
  for (size_t i = 0; i < model.actuators.size(); ++i) {
    const ActuatorInfo& actuator = model.actuators[i];
    const double control = state.ctrl[static_cast<Eigen::Index>(i)];
    if (actuator.tendon >= 0) {
      const TendonInfo& tendon = model.tendons[actuator.tendon];
      const TendonMotion motion = tendon_motion(tendon, state);
      const double gear = actuator.gear[0];
      const ActuatorForce force = actuator_force(actuator, gear * motion.length, gear * motion.speed, control);
      apply_to_tendon(tendon, gear * force.force, gear * gear * std::max(0.0, -force.rate), tau, damping);
      continue;
    }
    if (actuator.joint < 0) continue;
    const JointInfo& joint = model.joints[actuator.joint];
    // A joint with several degrees of freedom has no length; its actuator sees the speed along its gear.
    double length = 0;
    double speed = 0;
    double total_gear = 0;
    if (joint.nv == 1) length = actuator.gear[0] * state.q[joint.q_start];
    for (int k = 0; k < joint.nv; ++k) {
      speed += actuator.gear[k] * state.v[joint.v_start + k];
      total_gear += std::abs(actuator.gear[k]);
    }
    const ActuatorForce force = actuator_force(actuator, length, speed, control);
    for (int k = 0; k < joint.nv; ++k) {
      const double gear = actuator.gear[k];
      tau[joint.v_start + k] += gear * force.force;
      damping[joint.v_start + k] += std::abs(gear) * total_gear * std::max(0.0, -force.rate);
    }
  }
  for (const JointInfo& joint : model.joints) {
    if (joint.effort_limit == kInfinity || joint.nv != 1) continue;
    double& effort = tau[joint.v_start];
    if (std::abs(effort) <= joint.effort_limit) continue;
    effort = std::copysign(joint.effort_limit, effort);
    damping[joint.v_start] = 0;  // at its limit the effort does not depend on speed
  }
}

void compute_applied_forces(const Model& model, const State& state, const Kinematics& kinematics, AppliedForces& out) {
  compute_actuation(model, state, out.tau, out.damping);
  for (const Link& link : model.links) {
    if (link.damping == 0) continue;
    for (int k = 0; k < velocity_count(link.kind); ++k) {
      out.tau[link.v_start + k] -= link.damping * state.v[link.v_start + k];
      out.damping[link.v_start + k] += link.damping;
    }
  }
  for_each_spring(model, state,
                  [&](const Link& link, int v, double stretch) { out.tau[v] -= link.stiffness * stretch; });
  for (const TendonInfo& tendon : model.tendons) {
    if (tendon.stiffness == 0 && tendon.damping == 0) continue;
    const TendonMotion motion = tendon_motion(tendon, state);
    const double force = -tendon.stiffness * tendon_stretch(tendon, motion.length) - tendon.damping * motion.speed;
    apply_to_tendon(tendon, force, tendon.damping, out.tau, out.damping);
  }
  compensate_gravity(model, kinematics, out);
}

void compute_explicit_forces(const Model& model, const State& state, const Kinematics& kinematics, VectorXd& tau) {
  tau.setZero(model.nv);
  for_each_spring(model, state, [&](const Link& link, int v, double stretch) { tau[v] -= link.stiffness * stretch; });
  for (const BodyInfo& body : model.bodies) {
    if (body.gravity_scale == 1 || body.link == 0) continue;
    const Vector3d force = (body.gravity_scale - 1) * body.inertia.mass * model.gravity;
    const LinkPose& pose = kinematics.pose[body.link];
    const Vector3d center = pose.p + pose.R * (body.X_LB * body.inertia.center);
    for (int i = body.link; i != 0; i = model.links[i].parent) {
      for (int k = 0; k < velocity_count(model.links[i].kind); ++k) {
        const UnitMotion unit = unit_motion(model, kinematics, i, k);
        tau[model.links[i].v_start + k] += force.dot(unit.v + unit.w.cross(center - kinematics.pose[i].p));
      }
    }
  }
}

double damping_power(const Model& model, const State& state) {
  double power = 0;
  for (const Link& link : model.links) {
    if (link.damping != 0)
      power -= link.damping * state.v.segment(link.v_start, velocity_count(link.kind)).squaredNorm();
  }
  for (const TendonInfo& tendon : model.tendons) {
    const double speed = tendon_motion(tendon, state).speed;
    power -= tendon.damping * speed * speed;
  }
  return power;
}

double joint_spring_energy(const Model& model, const State& state, const Link& link) {
  double twice = 0;
  for_each_spring(model, state, link,
                  [&](const Link& own, int, double stretch) { twice += own.stiffness * stretch * stretch; });
  return 0.5 * twice;
}

double tendon_spring_energy(const TendonInfo& tendon, const State& state) {
  const double stretch = tendon_stretch(tendon, tendon_motion(tendon, state).length);
  return tendon.stiffness != 0 ? 0.5 * tendon.stiffness * stretch * stretch : 0;
}

double spring_energy(const Model& model, const State& state) {
  double energy = 0;
  for (const Link& link : model.links) energy += joint_spring_energy(model, state, link);
  for (const TendonInfo& tendon : model.tendons) energy += tendon_spring_energy(tendon, state);
  return energy;
}

}  // namespace stickslip
