#pragma once

#include <string>

#include "stickslip/dynamics/kinematics.h"
#include "stickslip/model/forest_testing.h"
#include "stickslip/state/configuration.h"

// The forest in a random state, for the tests of dynamics/ and below.
namespace stickslip::forest_testing {

struct ForestState {
  Scene scene;
  Model model;
  State state;
  Kinematics kinematics;

  explicit ForestState(unsigned seed, const ForestOptions& options = {})
      : scene(forest(seed, options)), model(compile(scene)), state(initial_state(model)) {
    Random random(seed + 1000);
    state.time = random.uniform(0, 2);
    state.q = random_configuration(model, random);
    state.v = random.vector_of(model.nv);
    refresh();
  }

  void refresh() {
    compute_poses(model, state, kinematics);
    compute_velocities(model, state, kinematics);
  }

  // The state a time dt later along constant v, and its kinematics.
  ForestState moved(double dt) const {
    ForestState out = *this;
    integrate(model, state.q, dt * state.v, out.state.q);
    out.state.time += dt;
    out.refresh();
    return out;
  }

  // The configuration moved by dv, at the same time.
  ForestState displaced(const VectorXd& dv) const {
    ForestState out = *this;
    integrate(model, state.q, dv, out.state.q);
    out.refresh();
    return out;
  }

  Vector3d center_of_mass(int body) const {
    return body_pose(model, kinematics, body) * model.bodies[static_cast<size_t>(body)].inertia.center;
  }

  // Rotational inertia of a body about its centre of mass, world axes.
  Matrix3d world_inertia(int body) const {
    const Matrix3d R = body_pose(model, kinematics, body).rotation;
    return R * model.bodies[static_cast<size_t>(body)].inertia.inertia * R.transpose();
  }

  int body_count() const { return static_cast<int>(model.bodies.size()); }
};

// Rotor inertia on the diagonal, in the order of v.
inline VectorXd armature(const Model& model) {
  VectorXd out = VectorXd::Zero(model.nv);
  for (const Link& link : model.links) out.segment(link.v_start, velocity_count(link.kind)).setConstant(link.armature);
  return out;
}

}  // namespace stickslip::forest_testing
