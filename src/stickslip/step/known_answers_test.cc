#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stickslip/step/step_testing.h"

namespace stickslip {
namespace {

using step_testing::distance;
using step_testing::kinematics_of;
using step_testing::observed_order;
using step_testing::oscillator;
using step_testing::run;
using step_testing::total_energy;

constexpr double kGravity = 9.81;
constexpr double kOrderSpread = 0.15;  // refinements by two still see the next term of the error: a few per cent

// A body with principal moments 1, 2, 3, spinning about the middle one with a small disturbance, without gravity.
Model spinning_body() {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies.push_back({.name = "racket", .inertia = {1, Vector3d::Zero(), Vector3d(1, 2, 3).asDiagonal()}});
  scene.bodies[0].angular_velocity = {0.01, 1, 0};
  return compile(scene);
}

// The same body hung on a ball joint and with its origin away from the centre of mass: other code, same physics.
Model spinning_body_off_centre() {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies.push_back({.name = "racket", .inertia = {1, {0.3, -0.2, 0.5}, Vector3d(1, 2, 3).asDiagonal()}});
  scene.bodies[0].angular_velocity = {0.01, 1, 0};
  scene.bodies[0].linear_velocity = -Vector3d(0.01, 1, 0).cross(Vector3d(0.3, -0.2, 0.5));  // the centre rests
  return compile(scene);
}

// A point mass on a massless rod of 1 m, released from the horizontal.
Model pendulum() {
  Scene scene;
  scene.gravity = {0, 0, -kGravity};
  scene.bodies.push_back({.name = "bob", .inertia = {2, {0, 0, -1}, Matrix3d::Zero()}});
  scene.joints.push_back(
      {.name = "hinge", .child = "bob", .axis = Vector3d::UnitY(), .position = {std::numbers::pi / 2}});
  return compile(scene);
}

constexpr double kPendulumPeriod = 2.36784194757624;  // [s]: 4 K(1/sqrt 2) sqrt(l/g)

// First time at which the angular velocity about the middle axis changes sign.
double first_tumble(const Model& model, double h) {
  State state = initial_state(model);
  for (int i = 0; i < 20000; ++i) {
    const State next = run(model, "rk4", state, h, 1);
    const double w0 = state.v[4], w1 = next.v[4];
    if (w1 <= 0) return state.time + h * w0 / (w0 - w1);  // w2'' vanishes with w2: the line is exact to h^3
    state = next;
  }
  return kInfinity;
}

// The racket flips for the first time at t = 10.3773049 s, by elliptic integrals; the digits are the tolerance.
TEST(KnownAnswers, TennisRacketFlipsWhenEllipticIntegralsSay) {
  EXPECT_NEAR(first_tumble(spinning_body(), 5e-3), 10.3773049, 5e-8);
  EXPECT_NEAR(first_tumble(spinning_body_off_centre(), 5e-3), 10.3773049, 5e-8);
}

// Over a whole flip rk4 keeps energy and the angular momentum vector to its own error, 1e-10 at this step.
TEST(KnownAnswers, TennisRacketKeepsEnergyAndAngularMomentum) {
  const Model model = spinning_body();
  const State start = initial_state(model);
  const State end = run(model, "rk4", start, 1e-2, 1500);
  const Momentum before = momentum(model, kinematics_of(model, start)),
                 after = momentum(model, kinematics_of(model, end));
  EXPECT_NEAR(total_energy(model, end), total_energy(model, start), 1e-9);
  EXPECT_LE((after.angular - before.angular).norm(), 1e-9);
}

// Rotations keep the full order of the method: 4 for rk4, 1 for semi-implicit Euler.
TEST(KnownAnswers, TennisRacketShowsTheOrdersOfTheMethods) {
  const Model model = spinning_body();
  State start = initial_state(model);
  start.v.tail<3>() << 1.0, 2.0, -0.5;
  EXPECT_NEAR(observed_order(model, "rk4", start, 3, 60), 4, kOrderSpread);
  EXPECT_NEAR(observed_order(model, "semi-implicit-euler", start, 3, 2000), 1, kOrderSpread);
}

// After one period the pendulum is back, at rest, to the error of rk4: below 1e-11 at this step.
TEST(KnownAnswers, PendulumReturnsAfterItsPeriod) {
  const Model model = pendulum();
  const State start = initial_state(model);
  EXPECT_LE(distance(model, run(model, "rk4", start, kPendulumPeriod / 4000, 4000), start), 1e-10);
}

// After a quarter of it the bob passes the lowest point with the speed of its fall, sqrt(2 g l).
TEST(KnownAnswers, PendulumPassesTheLowestPointAfterAQuarterPeriod) {
  const Model model = pendulum();
  State lowest = initial_state(model);
  lowest.q[0] = 0;
  lowest.v[0] = -std::sqrt(2 * kGravity);
  const auto error = [&](const char* method) {
    return distance(model, run(model, method, initial_state(model), kPendulumPeriod / 4000, 1000), lowest);
  };
  EXPECT_LE(error("rk4"), 1e-11);
  // First order: h = 6e-4 s times an acceleration of 10 m/s^2, and no better.
  EXPECT_LE(error("semi-implicit-euler"), 6e-3);
  EXPECT_GE(error("semi-implicit-euler"), 1e-4);
}

// Orders 4 and 1 on the pendulum.
TEST(KnownAnswers, PendulumShowsTheOrdersOfTheMethods) {
  const Model model = pendulum();
  const State start = initial_state(model);
  EXPECT_NEAR(observed_order(model, "rk4", start, 2, 100), 4, kOrderSpread);
  EXPECT_NEAR(observed_order(model, "semi-implicit-euler", start, 2, 2000), 1, kOrderSpread);
}

// rk4 follows the damped oscillation to its error, h^4 times derivatives of order 1e4.
TEST(KnownAnswers, DampedOscillatorEqualsTheClosedForm) {
  const double k = 200, c = 3, m = 2;
  const Model model = oscillator(k, c, m);
  const State end = run(model, "rk4", initial_state(model), 1e-3, 1000);
  const double z = c / (2 * m), w = std::sqrt(k / m - z * z), t = 1;
  const double a = 0.4, b = (1 + z * a) / w;
  const double decay = std::exp(-z * t), cosine = std::cos(w * t), sine = std::sin(w * t);
  EXPECT_NEAR(end.q[0], decay * (a * cosine + b * sine), 1e-9);
  EXPECT_NEAR(end.v[0], decay * ((b * w - z * a) * cosine - (a * w + z * b) * sine), 1e-8);
  const State euler = run(model, "semi-implicit-euler", initial_state(model), 1e-4, 10000);
  EXPECT_NEAR(euler.q[0], end.q[0], 1e-3);  // first order: h times derivatives of order 10
}

// Damping is implicit in semi-implicit Euler: 1e6 N s/m at 0.1 s only stops the motion, by v1 = v0/(1 + h c/m).
TEST(KnownAnswers, EnormousDampingIsStableInSemiImplicitEuler) {
  const Model model = oscillator(0, 1e6);
  const State one = run(model, "semi-implicit-euler", initial_state(model), 0.1, 1);
  EXPECT_NEAR(one.v[0], 1 / (1 + 0.1 * 1e6 / 2), 4e-16);  // round-off of v0 = 1
  const State end = run(model, "semi-implicit-euler", initial_state(model), 0.1, 100);
  EXPECT_LE(std::abs(end.v[0]), 1e-15);
  EXPECT_NEAR(end.q[0], 0.4, 1e-5);
}

// A velocity actuator is damping too: a gain of 1e6 at 0.1 s goes to the commanded speed and stays there.
TEST(KnownAnswers, StiffVelocityActuatorIsStableInSemiImplicitEuler) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies.push_back({.name = "cart", .inertia = {2, Vector3d::Zero(), Matrix3d::Identity()}});
  scene.joints.push_back({.name = "rail", .type = JointType::kPrismatic, .child = "cart"});
  scene.actuators.push_back({.name = "drive",
                             .type = "velocity",
                             .joint = "rail",
                             .gain = {1e6, 0, 0},
                             .bias = {0, 0, -1e6},
                             .control = 0.5});
  const Model model = compile(scene);
  const State end = run(model, "semi-implicit-euler", initial_state(model), 0.1, 20);
  EXPECT_NEAR(end.v[0], 0.5, 1e-12);  // after a few steps only round-off of the gain is left
}

// A slider falls by g t^2/2: exact in rk4; semi-implicit Euler gives the sum h^2 g n (n + 1)/2, its own exact answer.
TEST(KnownAnswers, SliderFallsFreely) {
  Scene scene;
  scene.gravity = {0, 0, -kGravity};
  scene.bodies.push_back({.name = "weight", .inertia = {3, {0.2, 0.1, 0}, Matrix3d::Identity()}});
  scene.joints.push_back({.name = "rail", .type = JointType::kPrismatic, .child = "weight", .axis = {0, 0, -1}});
  const Model model = compile(scene);
  constexpr int kSteps = 50;
  constexpr double h = 0.02, kRoundOff = 1e-13;  // sums of 50 numbers of order 1
  const State rk4 = run(model, "rk4", initial_state(model), h, kSteps);
  EXPECT_NEAR(rk4.q[0], kGravity / 2, kRoundOff);
  EXPECT_NEAR(rk4.v[0], kGravity, kRoundOff);
  const State euler = run(model, "semi-implicit-euler", initial_state(model), h, kSteps);
  EXPECT_NEAR(euler.v[0], kGravity, kRoundOff);
  EXPECT_NEAR(euler.q[0], h * h * kGravity * kSteps * (kSteps + 1) / 2, kRoundOff);
}

// A nut sinks along its screw with p m g/(m p^2 + I): the thread turns weight into spin.
TEST(KnownAnswers, NutSinksAlongItsScrew) {
  const double m = 2, inertia = 0.3, pitch = 0.4;
  Scene scene;
  scene.gravity = {0, 0, -kGravity};
  scene.bodies.push_back({.name = "nut", .inertia = {m, Vector3d::Zero(), inertia * Matrix3d::Identity()}});
  scene.joints.push_back({.name = "thread", .type = JointType::kScrew, .child = "nut", .pitch = pitch});
  const Model model = compile(scene);
  const State end = run(model, "rk4", initial_state(model), 0.02, 50);
  const double acceleration = -pitch * m * kGravity / (m * pitch * pitch + inertia);
  EXPECT_NEAR(end.q[0], acceleration / 2, 1e-12);  // round-off of 50 steps of numbers of order 10
  EXPECT_NEAR(end.v[0], acceleration, 1e-12);
  EXPECT_NEAR(kinematics_of(model, end).pose[1].p.z(), pitch * end.q[0], 1e-14);
}

// A free body with its origin away from its centre of mass falls with the centre in a parabola.
TEST(KnownAnswers, CentreOfMassOfATumblingBodyFallsInAParabola) {
  Scene scene;
  scene.gravity = {0, 0, -kGravity};
  const Vector3d center(0.3, -0.2, 0.5);
  scene.bodies.push_back({.name = "stone", .inertia = {1, center, Vector3d(1, 2, 2.5).asDiagonal()}});
  scene.bodies[0].angular_velocity = {2, 1, -3};
  scene.bodies[0].linear_velocity = {1, 0, 4};
  const Model model = compile(scene);
  const State end = run(model, "rk4", initial_state(model), 1e-3, 1000);
  const Vector3d v0 = Vector3d(1, 0, 4) + Vector3d(2, 1, -3).cross(center);
  const LinkPose pose = kinematics_of(model, end).pose[1];
  // rk4's error: h^4 times fourth derivatives, |w|^5 = 700.
  EXPECT_LE((pose.R * center + pose.p - (center + v0 - Vector3d(0, 0, kGravity / 2))).norm(), 1e-9);
}

}  // namespace
}  // namespace stickslip
