#pragma once

#include <string>

#include "stickslip/model/model.h"
#include "stickslip/systems/evaluate_systems.h"

// Small machines to control, for the tests of external systems.
namespace stickslip::arms_testing {

// `count` prismatic joints in series along x, y, z, x, ...: linear equations, gravity aside.
inline Scene stage(int count, double mass = 2, bool gravity = false) {
  Scene scene;
  if (!gravity) scene.gravity.setZero();
  std::string parent = kWorld;
  for (int i = 0; i < count; ++i) {
    const std::string name = std::string("slide").append(std::to_string(i));
    scene.bodies.push_back({.name = name, .inertia = {mass, Vector3d::Zero(), 0.01 * Matrix3d::Identity()}});
    scene.joints.push_back(
        {.name = name, .type = JointType::kPrismatic, .parent = parent, .child = name, .axis = Vector3d::Unit(i % 3)});
    parent = name;
  }
  return scene;
}

// Seven hinges, with lengths and masses like those of common robot arms.
inline Scene arm(bool floating = false) {
  Scene scene;
  std::string parent = kWorld;
  if (floating) {
    parent = "base";
    scene.bodies.push_back({.name = parent, .inertia = {5, Vector3d(0.01, 0, 0.05), 0.1 * Matrix3d::Identity()}});
  }
  constexpr double kLengths[] = {0.33, 0.16, 0.16, 0.19, 0.19, 0.09, 0.11};
  constexpr double kMasses[] = {3.0, 2.6, 2.6, 2.5, 2.4, 1.5, 0.7};
  constexpr int kAxes[] = {2, 1, 2, 1, 2, 1, 2};
  for (int i = 0; i < 7; ++i) {
    const std::string name = std::string("link").append(std::to_string(i));
    const double m = kMasses[i], l = kLengths[i];
    const Vector3d inertia(m * l * l / 12 + 2e-3, m * l * l / 12 + 2e-3, 3e-3);
    scene.bodies.push_back({.name = name, .inertia = {m, Vector3d(0.03, 0.02, 0.5 * l), inertia.asDiagonal()}});
    Joint joint{.name = std::string("hinge").append(std::to_string(i)), .parent = parent, .child = name};
    joint.pose.position = Vector3d(0, 0, i == 0 ? 0.1 : kLengths[i - 1]);
    joint.axis = Vector3d::Unit(kAxes[i]);
    scene.joints.push_back(joint);
    parent = name;
  }
  return scene;
}

inline std::shared_ptr<const SystemList> list_of(const Model& model,
                                                 std::initializer_list<std::shared_ptr<const System>> systems) {
  auto list = std::make_shared<SystemList>(model);
  for (const auto& system : systems) list->add(system);
  return list;
}

inline State start_of(const Model& model, const SystemList& systems) {
  State state = initial_state(model);
  state.z = systems.initial_z();
  return state;
}

// What the systems of a list apply in a state.
inline VectorXd output_of(const std::shared_ptr<const SystemList>& systems, const State& state) {
  VectorXd tau = VectorXd::Zero(systems->model().nv), zdot;
  SystemEvaluator(systems).evaluate(state, tau, zdot);
  return tau;
}

inline SystemTerms terms_of(const std::shared_ptr<const SystemList>& systems, const State& state) {
  std::vector<SystemTerms> terms;
  SystemEvaluator(systems).evaluate(state, terms);
  return terms.front();
}

inline VectorXd one(double number) { return VectorXd::Constant(1, number); }

}  // namespace stickslip::arms_testing
