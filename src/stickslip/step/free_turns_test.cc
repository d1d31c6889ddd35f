#include "stickslip/step/free_turns.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "stickslip/math/rotation.h"
#include "stickslip/step/step_testing.h"

namespace stickslip {
namespace {

using step_testing::run;

constexpr const char* kFixedSteps[] = {"lagged", "anchored", "similar", "sap"};

// A brick with three different moments, about 1 cm long: what falls off a table turns at 100 rad/s.
Scene brick_scene() {
  Scene scene;
  scene.materials.push_back({.name = "stuff", .stiffness = 1e4, .dissipation = 10, .static_friction = 0.8});
  scene.materials.back().dynamic_friction = 0.8;
  Body brick{.name = "brick"};
  Geometry geometry;
  const Vector3d size(0.01, 0.016, 0.005), squared = size.cwiseAbs2();
  geometry.shape = Box{size};
  geometry.material = "stuff";
  const double mass = 2000 * size.prod();
  brick.inertia = {mass, Vector3d::Zero(), mass / 12 * Vector3d(squared.sum() - squared.array()).asDiagonal()};
  brick.geometry.push_back(geometry);
  brick.pose = {Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix(), {0, 0, 0.5}};
  scene.bodies.push_back(brick);
  return scene;
}

double spin_energy(const Matrix3d& inertia, const Vector3d& w) { return 0.5 * w.dot(inertia * w); }

// The inertia of a brick, a rod a hundred times as long as thick, a coin and a ball.
const Matrix3d kInertias[] = {Vector3d(0.02, 0.05, 0.06).asDiagonal(), Vector3d(1, 1, 1e-4).asDiagonal(),
                              Vector3d(1, 1, 2).asDiagonal(), Matrix3d::Identity()};

TEST(FreeTurns, KeepEnergyAndMomentumToRoundOffHoweverFarTheyGo) {
  for (const Matrix3d& principal : kInertias) {
    const Matrix3d axes = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
    const Matrix3d inertia = axes * principal * axes.transpose();
    const TurningInertia body(inertia);
    const Vector3d w(3, -2, 4), momentum = inertia * w;
    for (const double h : {1e-5, 1e-3, 0.01, 0.1, 1.0, 9.0}) {
      const FreeTurn end = body.turn(w, h);
      // Some thousand short steps, each of which rounds.
      EXPECT_NEAR(spin_energy(inertia, end.w), spin_energy(inertia, w), 1e-10 * spin_energy(inertia, w)) << h;
      const Vector3d kept = exp_quaternion(end.turn) * (inertia * end.w);
      EXPECT_LE((kept - momentum).norm(), 1e-10 * momentum.norm()) << h;
    }
  }
}

TEST(FreeTurns, EndAfterMoreTurnsThanAreFollowedWithTheirEnergy) {
  const FreeTurn end = TurningInertia(kInertias[0]).turn({3, -2, 4}, 1e9);
  EXPECT_NEAR(spin_energy(kInertias[0], end.w), spin_energy(kInertias[0], {3, -2, 4}), 1e-9);
  EXPECT_TRUE(end.turn.allFinite());
}

// The wheel of a car, a coin on its edge: steps may be as long as they like.
TEST(FreeTurns, AboutPrincipalAxesAreExact) {
  const TurningInertia coin(kInertias[2]);
  for (const double angle : {0.01, 0.3, 1.0, 2.5}) {
    const FreeTurn end = coin.turn({0, 0, 10}, angle / 10);
    EXPECT_LE((end.turn - Vector3d(0, 0, angle)).norm(), 1e-13) << angle;
    EXPECT_LE((end.w - Vector3d(0, 0, 10)).norm(), 1e-13);
  }
}

// Runge and Kutta's method for Euler's equations, with steps a hundred times as short, is the answer.
TEST(FreeTurns, AreOfSecondOrder) {
  const Matrix3d& inertia = kInertias[0];
  const Vector3d w0(3, -2, 4);
  const auto rate = [&](const Vector3d& w) { return Vector3d(inertia.inverse() * (inertia * w).cross(w)); };
  const auto exact = [&](double h) {
    Vector3d w = w0;
    const double step = h / 100;
    for (int i = 0; i < 100; ++i) {
      const Vector3d k1 = rate(w), k2 = rate(w + 0.5 * step * k1), k3 = rate(w + 0.5 * step * k2),
                     k4 = rate(w + step * k3);
      w += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return w;
  };
  const auto miss = [&](double h) { return (TurningInertia(inertia).turn(w0, h).w - exact(h)).norm(); };
  EXPECT_NEAR(std::log2(miss(4e-3) / miss(2e-3)), 3, 0.05);  // of one step
}

// A step of the torque at its start alone, as published, gains half of the square of the turn.
TEST(FreeTurns, TorqueAtTheStartIsWhatTheyTakeThePlaceOf) {
  const Model model = compile(brick_scene());
  State state = initial_state(model);
  state.v.tail<3>() = Vector3d(30, -20, 40);
  VectorXd torque = VectorXd::Zero(model.nv);
  FreeTurns(model).add_torque(state, 1, torque);
  const Matrix3d& inertia = model.links[1].inertia.inertia;
  const double h = 1e-5;
  const Vector3d w = state.v.tail<3>(), end = TurningInertia(inertia).turn(w, h).w;
  EXPECT_LE((inertia * (end - w) / h - torque.tail<3>()).norm(), 1e-3 * torque.tail<3>().norm());  // h |w| = 5e-4
  EXPECT_TRUE(torque.head<3>().isZero(0));
}

// Steps of 13 ms in which it turns by radians: speeds squared themselves from step to step.
TEST(FreeTurns, NothingMakesASmallBrickFasterThanItsFall) {
  Scene scene = brick_scene();
  Geometry floor;
  floor.shape = HalfSpace{};
  floor.material = "stuff";
  scene.world_geometry.push_back(floor);
  scene.bodies[0].angular_velocity = {20, -30, 25};
  const Model model = compile(scene);
  for (const char* method : kFixedSteps) {
    State state = initial_state(model);
    const double start = step_testing::total_energy(model, state);
    for (int i = 0; i < 20; ++i) {
      state = run(model, method, state, 13e-3, 10);
      EXPECT_LE(step_testing::total_energy(model, state), 1.01 * start) << method << " at " << state.time;
    }
  }
}

TEST(FreeTurns, SpinInSpaceKeepsItsEnergyInStepsOfAnyTurn) {
  Scene scene = brick_scene();
  scene.gravity.setZero();
  const Model model = compile(scene);
  const Matrix3d& inertia = model.links[1].inertia.inertia;
  for (const double turn : {0.02, 0.1, 0.3, 1.0, 3.0, 20.0}) {  // a step [rad]
    State state = initial_state(model);
    const Vector3d w = 50 * Vector3d(1, 2, -2).normalized();
    state.v.tail<3>() = w;
    const State end = run(model, "lagged", state, turn / w.norm(), 500);
    EXPECT_NEAR(spin_energy(inertia, end.v.tail<3>()), spin_energy(inertia, w), 1e-9 * spin_energy(inertia, w)) << turn;
  }
}

}  // namespace
}  // namespace stickslip
