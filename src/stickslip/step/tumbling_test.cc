#include "stickslip/step/tumbling.h"

#include <gtest/gtest.h>

#include "stickslip/step/free_flight.h"
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

TEST(Tumbling, AngularVelocityAfterAnyTurnHasItsEnergyAndMomentum) {
  const Matrix3d inertia = Vector3d(0.02, 0.05, 0.06).asDiagonal();
  const Vector3d w(3, -2, 4);
  for (const double h : {1e-3, 0.1, 1.0, 30.0}) {
    const Vector3d end = tumbled(inertia, w, h);
    EXPECT_NEAR(spin_energy(inertia, end), spin_energy(inertia, w), 1e-4 * spin_energy(inertia, w)) << h;
    EXPECT_NEAR((inertia * end).norm(), (inertia * w).norm(), 1e-12 * (inertia * w).norm()) << h;
  }
  // More turns than it is followed for: the momentum is that of the start all the same.
  EXPECT_NEAR((inertia * tumbled(inertia, w, 1e9)).norm(), (inertia * w).norm(), 1e-9 * (inertia * w).norm());
}

// Half of the change of the torque over the step is what the torque at its start misses.
TEST(Tumbling, MeanTorqueTendsToThatAtTheStart) {
  const Matrix3d inertia = Vector3d(0.02, 0.05, 0.06).asDiagonal();
  const Vector3d w(3, -2, 4), torque = (inertia * w).cross(w);
  const auto miss = [&](double h) { return (inertia * (tumbled(inertia, w, h) - w) / h - torque).norm(); };
  EXPECT_NEAR(miss(2e-4) / miss(1e-4), 2, 0.01);  // first order
}

TEST(Tumbling, TurnsThatStepsCanTellAreLeftAlone) {
  const Model model = compile(brick_scene());
  State state = initial_state(model);
  const VectorXd force = VectorXd::Zero(model.nv);
  VectorXd mean;
  state.v.tail<3>() = Vector3d(3, -2, 4);
  EXPECT_FALSE(mean_tumbling_force(model, state, 1e-2, force, mean));
  ASSERT_TRUE(mean_tumbling_force(model, state, 1e-1, force, mean));
  EXPECT_TRUE(mean.head<3>().isZero(0));
  state.v.tail<3>() = Vector3d(0, 0, 1000);  // about a principal axis there is no torque, however fast
  EXPECT_FALSE(mean_tumbling_force(model, state, 1e-1, force, mean));
}

// From a twentieth on a part, from a tenth on all: no jump in between.
TEST(Tumbling, MeanTakesOverContinuously) {
  const Model model = compile(brick_scene());
  State state = initial_state(model);
  const Vector3d w(3, -2, 4);
  state.v.tail<3>() = w;
  const Matrix3d& inertia = model.links[1].inertia.inertia;
  VectorXd force = VectorXd::Zero(model.nv), mean, last = force;
  force.tail<3>() = (inertia * w).cross(w);
  last = force;
  for (double h = 0; h < 0.1; h += 1e-4) {
    mean = force;
    mean_tumbling_force(model, state, h, force, mean);
    EXPECT_LE((mean - last).norm(), 5e-3 * force.norm());  // 1e-4 of 20 to 40 ms, in which it all but changes over
    last = mean;
  }
  EXPECT_LE((mean.tail<3>() - inertia * (tumbled(inertia, w, 0.1) - w) / 0.1).norm(), 1e-2 * force.norm());
}

// Steps of 13 ms in which it turns by radians: speeds squared themselves from step to step.
TEST(Tumbling, NothingMakesASmallBrickFasterThanItsFall) {
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

TEST(Tumbling, SpinInSpaceKeepsItsEnergyInStepsOfAnyTurn) {
  Scene scene = brick_scene();
  scene.gravity.setZero();
  const Model model = compile(scene);
  const Matrix3d& inertia = model.links[1].inertia.inertia;
  for (const double turn : {0.02, 0.1, 0.3, 1.0, 3.0, 20.0}) {  // a step [rad]
    State state = initial_state(model);
    const Vector3d w = 50 * Vector3d(1, 2, -2).normalized();
    state.v.tail<3>() = w;
    const State end = run(model, "lagged", state, turn / w.norm(), 500);
    EXPECT_LE(spin_energy(inertia, end.v.tail<3>()), 2 * spin_energy(inertia, w)) << turn;
  }
}

}  // namespace
}  // namespace stickslip
