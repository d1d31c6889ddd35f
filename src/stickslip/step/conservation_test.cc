#include <gtest/gtest.h>

#include <set>

#include "stickslip/dynamics/forest_state_testing.h"
#include "stickslip/step/step_testing.h"

namespace stickslip {
namespace {

using forest_testing::forest;
using forest_testing::Random;
using forest_testing::random_configuration;
using step_testing::distance;
using step_testing::kinematics_of;
using step_testing::observed_order;
using step_testing::run;
using step_testing::total_energy;

// The forest's floating robot alone, with every kind of joint, without gravity.
Model floating_robot() {
  const std::set<std::string> parts{"torso", "upper", "fore", "hand", "tail", "tool", "rider", "antenna"};
  Scene scene = forest(1, {.prescribed = false});
  scene.gravity.setZero();
  std::erase_if(scene.bodies, [&](const Body& body) { return !parts.contains(body.name); });
  std::erase_if(scene.joints, [&](const Joint& joint) { return !parts.contains(joint.child); });
  return compile(scene);
}

State random_state(const Model& model, unsigned seed) {
  Random random(seed);
  State state = initial_state(model);
  state.q = random_configuration(model, random);
  state.v = random.vector_of(model.nv);
  return state;
}

struct Drift {
  double linear, angular, center, energy;
};

// Over one second of `count` rk4 steps.
Drift drift(const Model& model, const State& start, int count) {
  const State end = run(model, "rk4", start, 1.0 / count, count);
  const Momentum before = momentum(model, kinematics_of(model, start)),
                 after = momentum(model, kinematics_of(model, end));
  return {(after.linear - before.linear).norm(), (after.angular - before.angular).norm(),
          (after.center - before.center - before.linear / before.mass).norm(),
          std::abs(total_energy(model, end) - total_energy(model, start))};
}

// Without outer forces a floating robot keeps momentum, angular momentum about its centre of mass, and energy, and its
// centre moves in a straight line: to the order of the method, so that half the step leaves a sixteenth.
TEST(Conservation, FloatingRobotKeepsMomentumAndEnergyToFourthOrder) {
  const Model model = floating_robot();
  const State start = random_state(model, 2);
  const Drift coarse = drift(model, start, 100), fine = drift(model, start, 200);
  constexpr double kFourthOrder = 12;  // 16, less what higher terms take at these steps
  EXPECT_LE(fine.linear, 1e-6);        // of momenta of order 10
  EXPECT_LE(fine.angular, 1e-6);
  EXPECT_LE(fine.center, 1e-6);
  EXPECT_LE(fine.energy, 1e-6);
  EXPECT_GE(coarse.linear / fine.linear, kFourthOrder);
  EXPECT_GE(coarse.angular / fine.angular, kFourthOrder);
  EXPECT_GE(coarse.energy / fine.energy, kFourthOrder);
}

// With springs and gravity but no damping, actuators or prescribed motion, rk4 keeps energy to its order.
TEST(Conservation, ForestWithSpringsKeepsEnergy) {
  Scene scene = forest(3, {.prescribed = false, .forces = true});
  scene.actuators.clear();
  for (Joint& joint : scene.joints) joint.damping = 0;
  for (Tendon& tendon : scene.tendons) {
    tendon.damping = 0;
    tendon.spring_rest = {0.1, 0.1};  // no slack: its ends are kinks, which cost the order
  }
  const Model model = compile(scene);
  State start = initial_state(model);  // rotations near rest: a spring wound up to half a turn jumps to the other side
  start.v = random_state(model, 4).v;
  const auto energy_drift = [&](int count) {
    return std::abs(total_energy(model, run(model, "rk4", start, 0.2 / count, count)) - total_energy(model, start));
  };
  const double coarse = energy_drift(40), fine = energy_drift(80);
  EXPECT_LE(fine, 1e-6 * std::abs(total_energy(model, start)));
  EXPECT_GE(coarse / fine, 12);  // fourth order leaves a sixteenth, less what higher terms take
}

// On the whole forest, with prescribed motion, springs, dampers and actuators, rk4 is of fourth order and semi-implicit
// Euler of first, and both go to the same trajectory.
TEST(Conservation, MethodsAgreeAndShowTheirOrdersOnTheForest) {
  Scene scene = forest(5, {.forces = true});
  scene.tendons.clear();  // their springs' kinks limit the order
  std::erase_if(scene.actuators, [](const Actuator& actuator) { return !actuator.tendon.empty(); });
  const Model model = compile(scene);
  const State start = random_state(model, 6);
  constexpr double kDuration = 0.1;  // [s]: short, since unoptimised builds run this too
  EXPECT_NEAR(observed_order(model, "rk4", start, kDuration, 20), 4, 0.3);  // stiff parts still bend the line a little
  EXPECT_NEAR(observed_order(model, "semi-implicit-euler", start, kDuration, 100), 1, 0.15);
  const State reference = run(model, "rk4", start, kDuration / 80, 80);
  const double coarse = distance(model, run(model, "semi-implicit-euler", start, kDuration / 50, 50), reference);
  const double fine = distance(model, run(model, "semi-implicit-euler", start, kDuration / 200, 200), reference);
  EXPECT_NEAR(coarse / fine, 4, 0.6);  // first order, towards the other method's answer
}

// A body's trajectory has the same bits alone and among six others.
TEST(Conservation, FreeBodyTakesTheSameStepsInAnyCompany) {
  Random random(7);
  Scene crowd;
  for (int i = 0; i < 7; ++i) forest_testing::add_body(crowd, random, "body" + std::to_string(i));
  const Model crowd_model = compile(crowd);
  for (const char* method : {"rk4", "semi-implicit-euler"}) {
    const State together = run(crowd_model, method, random_state(crowd_model, 8), 0.01, 20);
    for (int i : {0, 3, 6}) {
      Scene single;
      single.bodies = {crowd.bodies[static_cast<size_t>(i)]};
      const Model model = compile(single);
      State alone = initial_state(model);
      alone.q = random_state(crowd_model, 8).q.segment<7>(7 * i);
      alone.v = random_state(crowd_model, 8).v.segment<6>(6 * i);
      alone = run(model, method, alone, 0.01, 20);
      EXPECT_EQ(alone.q, together.q.segment<7>(7 * i)) << method << i;
      EXPECT_EQ(alone.v, together.v.segment<6>(6 * i)) << method << i;
    }
  }
}

}  // namespace
}  // namespace stickslip
