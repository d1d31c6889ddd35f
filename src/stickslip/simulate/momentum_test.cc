#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/dynamics/energy.h"
#include "stickslip/simulate/simulator.h"

namespace stickslip {
namespace {

// Two bodies that turn about points far from their origins, and a rope between them that is too short by half.
Scene roped_bodies(std::optional<double> stiffness) {
  Scene scene;
  Body a, b;
  a.name = "a";
  a.inertia = MassProperties{2.0, {0.1, -0.05, 0.2}, Vector3d(0.02, 0.05, 0.06).asDiagonal()};
  a.linear_velocity = {1, 0, 2};
  a.angular_velocity = {3, -5, 4};
  b.name = "b";
  b.inertia = MassProperties{0.7, {-0.2, 0.1, 0.05}, Vector3d(0.01, 0.02, 0.015).asDiagonal()};
  b.pose.position = {0.6, 0.4, -0.3};
  b.angular_velocity = {-2, 6, 1};
  scene.bodies = {a, b};
  Constraint rope{.name = "rope", .kind = Constraint::Kind::kDistance, .body_a = "a", .body_b = "b"};
  rope.pose_a.position = {0.05, 0.1, 0};
  rope.length = 0.5 * (b.pose.position - rope.pose_a.position).norm();
  rope.stiffness = stiffness;
  scene.constraints = {rope};
  return scene;
}

Momentum momentum_of(const Simulator& simulator) {
  const Model& model = simulator.model();
  Kinematics kinematics;
  compute_poses(model, simulator.state(), kinematics);
  compute_velocities(model, simulator.state(), kinematics);
  return momentum(model, kinematics);
}

struct Drift {
  double linear = 0, angular = 0;  // of the momenta at the start
};

Drift drift(const Model& model, const SimulatorOptions& options, double until) {
  Simulator simulator(model, options);
  const Momentum before = momentum_of(simulator);
  EXPECT_TRUE(simulator.advance_to(until).ok());
  const Momentum after = momentum_of(simulator);
  const Vector3d expected = before.linear + until * before.mass * model.gravity;
  return {(after.linear - expected).norm() / before.linear.norm(),
          (after.angular - before.angular).norm() / before.angular.norm()};
}

constexpr const char* kFixedStep[] = {"lagged", "lagged-regularized", "similar", "sap", "anchored"};
constexpr double kUntil = 0.5;  // [s]: several turns

// Whatever the rope does, the sum of momenta changes by what gravity gives: its forces on the two are opposite, in
// every step. What is left is the round-off of a solve with a rope 1e8 times as stiff as the bodies are heavy.
TEST(Momentum, OnlyGravityChangesTheSumOfTwoRopedBodies) {
  constexpr double kRoundOff = 1e-10;
  for (const std::optional<double> stiffness : {std::optional<double>(), std::optional<double>(500.0)}) {
    const Model model = compile(roped_bodies(stiffness));
    for (const char* method : kFixedStep)
      EXPECT_LE(drift(model, {.method = method, .time_step = 5e-3}, kUntil).linear, kRoundOff) << method;
    for (const char* method : {"cenic", "cenic-trapezoid"})
      EXPECT_LE(drift(model, {.method = method, .accuracy = 1e-2}, kUntil).linear, kRoundOff) << method;
  }
}

// Nothing acts but gravity: a method without constraints, too, moves a spinning body's centre of mass along a
// parabola's tangents.
TEST(Momentum, SpinningDoesNotMoveTheCenterOfMass) {
  Scene scene = roped_bodies({});
  scene.constraints.clear();
  EXPECT_LE(drift(compile(scene), {.method = "semi-implicit-euler", .time_step = 5e-3}, kUntil).linear, 1e-12);
}

// So does the sum of angular momenta: the rope pulls both along one line, and bodies turn freely between its pulls.
TEST(Momentum, AngularMomentumOfRopedBodiesIsKept) {
  constexpr double kRoundOff = 1e-9;
  for (const std::optional<double> stiffness : {std::optional<double>(), std::optional<double>(50.0)}) {
    const Model model = compile(roped_bodies(stiffness));
    for (const char* method : kFixedStep)
      EXPECT_LE(drift(model, {.method = method, .time_step = 5e-3}, kUntil).angular, kRoundOff) << method;
  }
}

// A ball lets go of another within a step, while friction that lags is still that of the start. It acts on both of
// them, also where one could fly but for it: the other hangs on a spring, and does not.
TEST(Momentum, WhatLetsGoIsPushedByTheLastFriction) {
  Scene scene = roped_bodies(50);
  Geometry ball;
  ball.shape = Sphere{0.05};
  Body& held = scene.bodies[0];
  held.geometry = {ball};
  constexpr double kDepth = 2e-5, kParting = 0.05;  // [m], [m/s]
  Body flying;
  flying.name = "flying";
  flying.inertia = MassProperties{0.1, Vector3d::Zero(), 1e-4 * Matrix3d::Identity()};
  flying.geometry = {ball};
  flying.pose.position = held.pose.position + Vector3d(0.1 - kDepth, 0, 0);
  flying.linear_velocity =
      held.linear_velocity + held.angular_velocity.cross(Vector3d(0.05, 0, 0)) + Vector3d(kParting, 1, 0);
  scene.bodies.push_back(flying);
  const Model model = compile(scene);
  for (const char* friction : {"anchored", "regularized"})
    EXPECT_LE(drift(model, {.method = "cenic", .accuracy = 1e-2, .friction = friction}, 0.02).linear, 1e-10)
        << friction;
}

}  // namespace
}  // namespace stickslip
