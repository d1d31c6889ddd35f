#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "stickslip/dynamics/energy.h"
#include "stickslip/state/configuration.h"
#include "stickslip/step/method.h"

// What the tests of the methods share.
namespace stickslip::step_testing {

// A slider with spring and damper: x = e^{-zt}(a cos wt + b sin wt) in closed form.
inline Model oscillator(double stiffness, double damping, double mass = 2) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies.push_back({.name = "cart", .inertia = {mass, Vector3d::Zero(), Matrix3d::Identity()}});
  scene.joints.push_back({.name = "rail",
                          .type = JointType::kPrismatic,
                          .child = "cart",
                          .axis = Vector3d::UnitX(),
                          .position = {0.4},
                          .velocity = {1},
                          .damping = damping,
                          .stiffness = stiffness});
  return compile(scene);
}

// `count` steps of size h from `state`.
inline State run(const Model& model, const std::string& method_name, State state, double h, int count) {
  const std::unique_ptr<Method> method = make_method(method_name, model);
  const std::unique_ptr<Method::Prepared> prepared = method->make_prepared();
  State next;
  for (int i = 0; i < count; ++i) {
    EXPECT_TRUE(method->prepare(state, h, *prepared).ok());
    const Status status = method->advance(*prepared, h, next);
    EXPECT_TRUE(status.ok()) << status.message;
    std::swap(state, next);
  }
  return state;
}

// How far two states of one model are apart, positions and velocities.
inline double distance(const Model& model, const State& a, const State& b) {
  VectorXd dq;
  difference(model, a.q, b.q, dq);
  return std::sqrt(dq.squaredNorm() + (a.v - b.v).squaredNorm());
}

// log2 of the ratio of two successive refinements from `count` steps over `duration`: the observed order, which needs
// no reference solution.
inline double observed_order(const Model& model, const std::string& method, const State& start, double duration,
                             int count) {
  const State coarse = run(model, method, start, duration / count, count);
  const State medium = run(model, method, start, duration / (2 * count), 2 * count);
  const State fine = run(model, method, start, duration / (4 * count), 4 * count);
  return std::log2(distance(model, coarse, medium) / distance(model, medium, fine));
}

inline Kinematics kinematics_of(const Model& model, const State& state) {
  Kinematics kinematics;
  compute_poses(model, state, kinematics);
  compute_velocities(model, state, kinematics);
  return kinematics;
}

inline double total_energy(const Model& model, const State& state) {
  const Kinematics kinematics = kinematics_of(model, state);
  return kinetic_energy(model, state, kinematics) + potential_energy(model, state, kinematics);
}

}  // namespace stickslip::step_testing
