#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/model/forest_testing.h"
#include "stickslip/simulate/simulator.h"

namespace stickslip {
namespace {

using forest_testing::forest;

// A pendulum with an actuator and, if asked for, damping.
Scene pendulum(double damping) {
  Scene scene;
  scene.bodies.push_back({.name = "bob", .inertia = {2, {0, 0, -1}, 0.01 * Matrix3d::Identity()}});
  scene.joints.push_back(
      {.name = "hinge", .child = "bob", .axis = Vector3d::UnitY(), .position = {1.2}, .damping = damping});
  scene.actuators.push_back({.name = "motor", .joint = "hinge"});
  return scene;
}

// Nothing takes energy from an undamped pendulum: rk4 at 1 ms loses a part in 1e10 of the 13 J in play.
TEST(EnergyAudit, UndampedPendulumLosesNothing) {
  Simulator sim(compile(pendulum(0)), {.method = "rk4", .time_step = 1e-3});
  ASSERT_TRUE(sim.advance_to(5).ok());
  const EnergyAudit energy = sim.report().energy;
  ASSERT_TRUE(energy.numerical_loss.has_value());
  EXPECT_NEAR(*energy.numerical_loss, 0, 1e-9);
  EXPECT_EQ(energy.damping, 0);
  EXPECT_EQ(energy.actuators, 0);
  EXPECT_EQ(energy.contact, 0);
}

// A constant torque does the work torque times angle, and the audit closes: end = start + work - loss.
TEST(EnergyAudit, ActuatorWorkIsTorqueTimesAngle) {
  Simulator sim(compile(pendulum(0)), {.method = "rk4", .time_step = 1e-3});
  sim.state().ctrl[0] = 3;
  ASSERT_TRUE(sim.advance_to(2).ok());
  const EnergyAudit energy = sim.report().energy;
  // The trapezoidal rule: h^2/12 times the torque times the change of acceleration, 1e-7 * 3 * 20.
  EXPECT_NEAR(energy.actuators, 3 * (sim.state().q[0] - 1.2), 6e-6);
  EXPECT_NEAR(energy.end, energy.start + energy.actuators, 6e-6);
  EXPECT_NEAR(*energy.numerical_loss, 0, 6e-6);
}

// Damping takes what is missing: its work is negative and the audit closes.
TEST(EnergyAudit, DampingTakesWhatIsMissing) {
  Simulator sim(compile(pendulum(0.4)), {.method = "rk4", .time_step = 1e-3});
  ASSERT_TRUE(sim.advance_to(5).ok());
  const EnergyAudit energy = sim.report().energy;
  EXPECT_LT(energy.damping, -1);
  EXPECT_NEAR(energy.end - energy.start, energy.damping, 1e-5);  // the trapezoidal rule, as above
  EXPECT_NEAR(*energy.numerical_loss, 0, 1e-5);
}

// On the forest with springs, dampers, tendons, actuators and gravity compensation the audit closes too, and what is
// left falls with the square of the step, as the trapezoidal rule's error does.
TEST(EnergyAudit, ClosesOnTheForestToSecondOrder) {
  const auto model = std::make_shared<const Model>(compile(forest(1, {.prescribed = false, .forces = true})));
  const auto loss = [&](double h) {
    Simulator sim(model, {.method = "rk4", .time_step = h});
    EXPECT_TRUE(sim.advance_to(0.25).ok());
    EXPECT_GT(std::abs(sim.report().energy.actuators), 0.1);
    EXPECT_LT(sim.report().energy.damping, -0.1);
    return std::abs(*sim.report().energy.numerical_loss);
  };
  const double coarse = loss(1.0 / 512), fine = loss(1.0 / 1024);
  EXPECT_LE(fine, 1e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.8);
}

// Semi-implicit Euler's loss is seen as such: with implicit damping it is of first order in the step.
TEST(EnergyAudit, SemiImplicitEulerShowsItsLoss) {
  const auto model = std::make_shared<const Model>(compile(pendulum(0.4)));
  const auto loss = [&](double h) {
    Simulator sim(model, {.method = "semi-implicit-euler", .time_step = h});
    EXPECT_TRUE(sim.advance_to(1).ok());
    return *sim.report().energy.numerical_loss;
  };
  EXPECT_NEAR(loss(1.0 / 512) / loss(1.0 / 1024), 2, 0.2);
}

// What a user writes to q and v between steps is the user's energy, not the method's loss.
TEST(EnergyAudit, WritesDoNotCountAsLoss) {
  Simulator sim(compile(pendulum(0)), {.method = "rk4", .time_step = 1e-3});
  for (double t : {0.5, 1.0, 1.5}) {
    ASSERT_TRUE(sim.advance_to(t).ok());
    sim.state().v[0] += 2;
    sim.state().q[0] -= 0.3;
  }
  ASSERT_TRUE(sim.advance_to(2).ok());
  EXPECT_NEAR(*sim.report().energy.numerical_loss, 0, 1e-8);  // rk4's own, at a few times the speed
}

// The report is right even if it is asked for before the step that follows a write.
TEST(EnergyAudit, ReportRightAfterAWriteShowsNoLoss) {
  Simulator sim(compile(pendulum(0)), {.method = "rk4", .time_step = 1e-3});
  ASSERT_TRUE(sim.advance_to(0.5).ok());
  sim.state().v[0] += 2;
  EXPECT_NEAR(*sim.report().energy.numerical_loss, 0, 1e-9);
}

// Setting the whole state starts the audit anew.
TEST(EnergyAudit, SetStateStartsAnew) {
  Simulator sim(compile(pendulum(0.4)), {.method = "rk4", .time_step = 1e-3});
  ASSERT_TRUE(sim.advance_to(1).ok());
  sim.reset();
  const EnergyAudit energy = sim.report().energy;
  EXPECT_EQ(energy.start, energy.end);
  EXPECT_EQ(energy.damping, 0);
  EXPECT_EQ(*energy.numerical_loss, 0);
}

// With prescribed motion somebody does work that nobody measures: no loss is claimed.
TEST(EnergyAudit, PrescribedMotionHasNoLossToClaim) {
  Simulator sim(compile(forest(2)), {.method = "rk4", .time_step = 1e-3});
  ASSERT_TRUE(sim.advance_to(0.05).ok());
  EXPECT_FALSE(sim.report().energy.numerical_loss.has_value());
}

}  // namespace
}  // namespace stickslip
