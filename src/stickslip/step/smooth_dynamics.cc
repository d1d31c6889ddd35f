#include "stickslip/step/smooth_dynamics.h"

#include <fmt/format.h>

namespace stickslip {
namespace {

const std::string& moved_body(const Model& model, const Link& link) {
  const int body = link.joint >= 0 ? model.joints[link.joint].child : 0;
  return model.bodies[body].name;
}

}  // namespace

void SmoothDynamics::evaluate(const Model& model, const State& state) {
  compute_poses(model, state, kinematics);
  compute_velocities(model, state, kinematics);
  compute_applied_forces(model, state, kinematics, forces);
}

Status AccelerationSolver::solve(const Model& model, const State& state, const SmoothDynamics& smooth,
                                 double implicit_step, VectorXd& vdot) {
  extra_.resize(model.nv);
  extra_ = implicit_step * smooth.forces.damping;
  const std::vector<Wrench>* wrenches = smooth.forces.wrenches.empty() ? nullptr : &smooth.forces.wrenches;
  const SolveStatus solved =
      forward_dynamics(model, state, smooth.kinematics, smooth.forces.tau, &extra_, wrenches, vdot, workspace_);
  if (solved.ok()) return {};
  // NaN looks like a missing mass to the factorisation; the cause is the motion, not the model.
  if (Status finite = check_finite(model, state, state); !finite.ok()) return finite;
  return singular_mass(model, state, solved.singular_link);
}

Status singular_mass(const Model& model, const State& state, int link_index) {
  const Link& link = model.links[link_index];
  const std::string& joint = model.joints[link.joint].name;
  return {StatusCode::kSingularMass, state.time, moved_body(model, link),
          fmt::format("joint '{}' moves no inertia in some direction; give its body a mass and a rotational inertia, "
                      "or the joint an armature",
                      joint)};
}

Status check_finite(const Model& model, const State& last_good, const State& next) {
  // 0 times what is no number is none: quicker than to look at each, as allFinite() does.
  if ((0 * next.q).sum() == 0 && (0 * next.v).sum() == 0) return {};
  for (const Link& link : model.links) {
    const bool finite = next.q.segment(link.q_start, position_count(link.kind)).allFinite() &&
                        next.v.segment(link.v_start, velocity_count(link.kind)).allFinite();
    if (finite) continue;
    const std::string& body = moved_body(model, link);
    return {StatusCode::kNotFinite, last_good.time, body,
            fmt::format(
                "the motion of body '{}' grew beyond all numbers after t = {} s; shorten the time step, or look for "
                "forces that feed energy",
                body, last_good.time)};
  }
  return {};
}

}  // namespace stickslip
