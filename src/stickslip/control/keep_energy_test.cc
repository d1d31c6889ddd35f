#include "stickslip/control/keep_energy.h"

#include <gtest/gtest.h>

#include "stickslip/control/control_testing.h"
#include "stickslip/dynamics/energy.h"

namespace stickslip {
namespace {

using control_testing::model_of;
using control_testing::run;

double energy_of(const Model& model, const State& state) {
  Kinematics kinematics;
  compute_poses(model, state, kinematics);
  compute_velocities(model, state, kinematics);
  return kinetic_energy(model, state, kinematics) + potential_energy(model, state, kinematics);
}

constexpr const char* kRod = "mass: 1, center: [0, 0, -0.5], inertia: {ixx: 0.0852, iyy: 0.0852, izz: 0.0012}";

// A rod of 1 m and 1 kg on a hinge, let go at 1 rad; what else there is of its joint, of bodies, joints and the rest.
Model pendulum(const std::string& own = "", const std::string& bodies = "", const std::string& joints = "",
               const std::string& rest = "") {
  return model_of(
      fmt::format("bodies:\n  - {{name: rod, {}}}\n{}joints:\n  - {{name: hinge, type: revolute, parent: "
                  "world, child: rod, axis: [0, 1, 0], position: 1{}}}\n{}{}",
                  kRod, bodies, own, joints, rest));
}

Model double_pendulum() {
  return pendulum(
      "", fmt::format("  - {{name: lower, {}}}\n", kRod),
      "  - {name: elbow, type: revolute, parent: rod, child: lower, axis: [0, 1, 0], pose: {position: [0, 0, "
      "-1]}, position: -0.4}\n");
}

double drift(const Model& model, const StepperOptions& options, double until) {
  const double before = energy_of(model, initial_state(model)), at_rest = -9.81 * 0.5;
  return (energy_of(model, run(model, options, until).state) - before) / (before - at_rest);
}

TEST(KeepEnergy, PendulumKeepsItsEnergy) {
  const Model model = pendulum();
  // Without, extrapolation loses 2 % in 100 s at 1e-3, always the same way.
  EXPECT_LE(std::abs(drift(model, {.method = "cenic", .accuracy = 1e-3}, 100)), 1e-3);
  EXPECT_LE(std::abs(drift(model, {.method = "cenic", .accuracy = 1e-4}, 100)), 1e-5);
}

TEST(KeepEnergy, TwoPendulumsInOneAnotherKeepTheirEnergy) {
  EXPECT_LE(std::abs(drift(double_pendulum(), {.method = "cenic", .accuracy = 1e-3}, 100)), 1e-3);
  EXPECT_LE(std::abs(drift(double_pendulum(), {.method = "cenic", .accuracy = 1e-4}, 30)), 1e-4);
}

// What a joint's damper takes is not given back.
TEST(KeepEnergy, DampersTakeWhatTheyTake) {
  const Model damped = pendulum(", damping: 0.05");
  const double coarse = drift(damped, {.method = "cenic", .accuracy = 1e-3}, 2);
  const double fine = drift(damped, {.method = "cenic", .accuracy = 1e-6}, 2);
  EXPECT_LT(fine, -0.1);
  EXPECT_NEAR(coarse, fine, 5e-3);
}

// A drive lifts it, and holds it up.
TEST(KeepEnergy, DrivesGiveWhatTheyGive) {
  const Model driven =
      pendulum("", "", "", "actuators: [{name: drive, joint: hinge, type: position, kp: 100, kd: 20, control: 2}]\n");
  const double coarse = drift(driven, {.method = "cenic", .accuracy = 1e-3}, 2);
  const double fine = drift(driven, {.method = "cenic", .accuracy = 1e-6}, 2);
  EXPECT_GT(fine, 0.5);
  EXPECT_NEAR(coarse, fine, 1e-3);
}

// The order of extrapolation: q at a time within the first swing, at equal steps.
TEST(KeepEnergy, IsOfSecondOrder) {
  const Model model = pendulum();
  const auto at = [&](double h) {
    return run(model, {.method = "cenic", .time_step = h, .solver_tolerance = 1e-12}, 0.64).state.q[0];
  };
  const double exact = at(5e-5);
  const double coarse = std::abs(at(16e-3) - exact), fine = std::abs(at(1e-3) - exact);
  EXPECT_NEAR(std::log2(coarse / fine) / 4, 2, 0.15);  // errors are scattered by up to two from step to step
}

}  // namespace
}  // namespace stickslip
