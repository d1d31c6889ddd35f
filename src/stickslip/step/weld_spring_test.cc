#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/step/step_testing.h"

// Welds whose rotation gives way: a bushing, in closed form.
namespace stickslip {
namespace {

using step_testing::run;

constexpr double kStiffness = 5;  // [N m/rad]
constexpr double kMass = 2, kArm = 0.1, kInertia = 0.02;

// A body welded to the world at its origin, its centre of mass kArm beside it.
Scene welded(double arm, std::optional<double> rotational_stiffness, double rotational_dissipation = 0) {
  Scene scene;
  Body body{.name = "plate", .inertia = {kMass, {arm, 0, 0}, kInertia * Matrix3d::Identity()}};
  scene.bodies.push_back(body);
  Constraint weld{.name = "bushing", .kind = Constraint::Kind::kWeld, .body_b = "plate"};
  weld.rotational_stiffness = rotational_stiffness;
  weld.rotational_dissipation = rotational_dissipation;
  scene.constraints.push_back(weld);
  return scene;
}

// About y, positive downward.
double pitch(const State& state) { return 2 * std::atan2(state.q[5], state.q[3]); }

// m g a cos(t) = k t
double expected_pitch() {
  double t = 0;
  for (int i = 0; i < 100; ++i) t = kMass * 9.81 * kArm * std::cos(t) / kStiffness;
  return t;
}

TEST(WeldSpring, TurnsUnderItsWeightByTheTorqueOverTheStiffness) {
  const Model model = compile(welded(kArm, kStiffness, 2));
  const State end = run(model, "lagged", initial_state(model), 5e-3, 2000);
  EXPECT_NEAR(pitch(end), expected_pitch(), 1e-6);  // k/d: 0.4 s to settle, of 10
  EXPECT_GT(pitch(end), 0.3);
  EXPECT_LE(end.q.head<3>().norm(), 1e-6);  // the origins are held as stiffly as ever
}

// Without a number of its own the rotation is held, whatever the origins do.
TEST(WeldSpring, OnlyTheOriginsGiveWayByAStiffnessInNewtons) {
  Scene scene = welded(kArm, std::nullopt);
  scene.constraints[0].stiffness = 1000;
  scene.constraints[0].dissipation = 100;
  const Model model = compile(scene);
  const State end = run(model, "lagged", initial_state(model), 5e-3, 1000);
  EXPECT_NEAR(pitch(end), 0, 1e-5);
  EXPECT_NEAR(end.q[2], -kMass * 9.81 / 1000, 1e-6);
}

// The implicit Euler rule turns by atan(h w) a step and shrinks by sqrt(1 + h^2 w^2), w^2 = k/I.
TEST(WeldSpring, SwingsWithThePeriodOfStiffnessAndInertia) {
  Scene scene = welded(0, kStiffness);
  scene.gravity.setZero();
  const double start = 0.4, h = 1e-3, w = std::sqrt(kStiffness / kInertia);
  const Vector3d axis = Vector3d(1, -2, 2) / 3;
  scene.bodies[0].pose.rotation = Eigen::AngleAxisd(start, axis).toRotationMatrix();
  const Model model = compile(scene);
  State state = initial_state(model);
  for (int count = 0; count < 1000; count += 50) {
    const double expected = start * std::pow(1 + h * h * w * w, -0.5 * count) * std::cos(count * std::atan(h * w));
    const double angle = 2 * std::atan2(state.q.segment<3>(4).dot(axis), state.q[3]);
    EXPECT_NEAR(angle, expected, 1e-6 * start) << count;  // round-off of the stiff rows of the origin
    state = run(model, "lagged", state, h, 50);
  }
}

}  // namespace
}  // namespace stickslip
