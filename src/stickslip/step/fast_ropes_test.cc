#include <gtest/gtest.h>

#include <random>

#include "stickslip/dynamics/energy.h"
#include "stickslip/icf/rows.h"
#include "stickslip/shapes/mass.h"
#include "stickslip/step/step_testing.h"

// Ropes on bodies that turn far within a step, and ropes that nothing can stretch.
namespace stickslip {
namespace {

using step_testing::kinematics_of;
using step_testing::run;
using step_testing::total_energy;

TEST(FastRopes, BendIsThatOfACircleForSmallAnglesAndNeverMoreThanItsRadius) {
  const double radius = 0.3, speed = 6;
  const ForceSpec spec{.curvature = speed * speed / radius, .turning_rate = speed / radius};
  for (double angle = 1e-4; angle < 1e4; angle *= 1.5) {
    const double h = angle * radius / speed, bend = spec.bend(h);
    // Up to the fourth power: 1/12 of the angle squared for the circle, 1/2 for ours.
    if (angle < 0.5) {
      EXPECT_NEAR(bend / (radius * (1 - std::cos(angle))), 1, 0.5 * angle * angle + 1e-7);
    }
    EXPECT_LE(bend, radius);
  }
  const ForceSpec straight{.curvature = 5};  // nothing is known of what turns
  EXPECT_EQ(straight.bend(0.1), 0.5 * 0.1 * 0.1 * 5);
  EXPECT_EQ(ForceSpec{.turning_rate = 5}.bend(0.1), 0);
}

Body brick(const char* name, const Vector3d& position, double mass) {
  Body body{.name = name, .inertia = {mass, Vector3d::Zero(), Vector3d(2e-4, 3e-4, 4e-4).asDiagonal()}};
  body.pose.position = position;
  return body;
}

// A pebble that a rope holds far outside of it, by a lever ten times its size, with which it turns by radians a step.
// Its speed squared itself from step to step.
TEST(FastRopes, PebbleOnALeverThatTurnsByRadiansAStepDoesNotExplode) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies = {brick("anchor", {0, 0, 0}, 5), {.name = "pebble"}};
  scene.bodies[1].inertia = {5e-3, Vector3d::Zero(), Vector3d(2e-7, 3e-7, 4e-7).asDiagonal()};
  scene.bodies[1].pose.position = {0.5, 0.02, 0};
  scene.bodies[1].linear_velocity = {-1, 3, 2};
  scene.bodies[1].angular_velocity = {7, 10, -12};
  Constraint rope{.name = "rope", .kind = Constraint::Kind::kDistance, .body_a = "anchor", .body_b = "pebble"};
  rope.pose_b.position = {0.03, 0.12, -0.05};
  rope.length = (scene.bodies[1].pose * rope.pose_b.position).norm();
  scene.constraints.push_back(rope);
  const Model model = compile(scene);
  const State start = initial_state(model);
  for (const double h : {5e-3, 10e-3, 20e-3}) {
    const State end = run(model, "lagged", start, h, 100);
    // A tangent that is radians long makes or takes some energy in each step, by chance: of 36 starts that differ in
    // the last digits half end with 15 times as much, and with 830 times the worst.
    EXPECT_LE(total_energy(model, end), 1e3 * total_energy(model, start)) << h;
  }
}

// The rope would have to be half as long. Round-off in what stretches it passed for a mass of 1e30 kg, and a part of
// that for a force: 1e30 m/s after the first step.
TEST(FastRopes, RopeBetweenBodiesThatAreOneDoesNothing) {
  Scene scene;
  scene.bodies = {brick("one", {0.1, 0.2, 0.3}, 2), brick("other", {0.7, -0.1, 0.6}, 0.5), brick("arm", {1, 1, 0}, 1)};
  scene.bodies[0].pose.rotation = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  scene.bodies[0].angular_velocity = {1, -2, 3};
  scene.joints.push_back({.name = "glue", .type = JointType::kFixed, .parent = "one", .child = "other"});
  scene.joints.back().pose.position = {0.31, -0.17, 0.53};
  for (const bool has_arm : {false, true}) {  // a lone body, and a tree
    if (has_arm)
      scene.joints.push_back({.name = "hinge", .type = JointType::kRevolute, .parent = "one", .child = "arm"});
    const Model free = compile(scene);
    Scene tied = scene;
    Constraint rope{.name = "rope", .kind = Constraint::Kind::kDistance, .body_a = "one", .body_b = "other"};
    rope.pose_a.position = {0.11, 0.05, -0.07};
    rope.length = 0.3;
    tied.constraints.push_back(rope);
    const Model model = compile(tied);
    const State expected = run(free, "lagged", initial_state(free), 1e-3, 20);
    const State end = run(model, "lagged", initial_state(model), 1e-3, 20);
    EXPECT_LE(step_testing::distance(model, end, expected), 1e-9) << has_arm;
  }
}

// Two balls of any size and stuff, on a rope that is too long or too short.
Scene tied_balls(std::mt19937& random) {
  const auto between = [&](double low, double high) { return low + (high - low) * (random() / 4294967296.0); };
  const auto magnitude = [&](double low, double high) {
    return std::pow(10, between(std::log10(low), std::log10(high)));
  };
  const auto vector = [&] {
    const double x = between(-1, 1), y = between(-1, 1);
    return Vector3d(x, y, between(-1, 1));
  };
  Scene scene;
  scene.gravity.setZero();
  scene.materials.push_back({.name = "stuff", .stiffness = magnitude(1e3, 1e8), .dissipation = magnitude(0.1, 100)});
  for (const char* name : {"one", "other"}) {
    Geometry ball{.shape = Sphere{magnitude(0.01, 1)}, .material = "stuff"};
    if (random() % 2) ball.pose.position = 0.5 * vector();
    Body body{.name = name, .linear_velocity = 3 * vector(), .angular_velocity = 10 * vector()};
    body.inertia = expressed_in(ball.pose, mass_properties(ball.shape, magnitude(10, 1e4)));
    body.pose.position = vector();
    body.geometry.push_back(ball);
    scene.bodies.push_back(body);
  }
  Constraint rope{.name = "rope", .kind = Constraint::Kind::kDistance, .body_a = "one", .body_b = "other"};
  rope.pose_a.position = 0.3 * vector();
  const double distance = (scene.bodies[0].pose * rope.pose_a.position - scene.bodies[1].pose.position).norm();
  rope.length = std::max(0.01, between(0, 2) * distance);
  scene.constraints.push_back(rope);
  return scene;
}

// On the way to a solution friction may be 1e20 times as stiff as a body is heavy, so that any residual looks like
// round-off of that. Solves that ended there lost up to all of the momentum in one of two hundred scenes.
TEST(FastRopes, SolvesEndAtASolutionNotAtWhatLooksLikeRoundOff) {
  std::mt19937 random(1);
  for (int scene = 0; scene < 2000; ++scene) {
    const Model model = compile(tied_balls(random));
    const double h = std::pow(10, -4 + 2.3 * (random() / 4294967296.0));
    State state = initial_state(model);
    const Vector3d before = momentum(model, kinematics_of(model, state)).linear;
    double largest = 0;  // at the speed of the fastest
    for (int i = 0; i < 30; ++i) {
      state = run(model, "similar", state, h, 1);
      const Kinematics kinematics = kinematics_of(model, state);
      largest = std::max(largest, momentum(model, kinematics).mass * state.v.norm());
      ASSERT_LE((momentum(model, kinematics).linear - before).norm(), 1e-3 * largest) << scene << ", step " << i;
    }
  }
}

}  // namespace
}  // namespace stickslip
