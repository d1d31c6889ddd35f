#include "stickslip/control/step_doubling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/control/control_testing.h"
#include "stickslip/dynamics/energy.h"
#include "stickslip/step/step_testing.h"

namespace stickslip {
namespace {

using control_testing::ball_on_floor;
using control_testing::run;
using step_testing::distance;

double observed_order(const Model& model, StepperOptions options, double end, double h) {
  const auto at = [&](double step) {
    options.time_step = step;
    options.solver_tolerance = 1e-12;
    return run(model, options, end).state;
  };
  const State coarse = at(h), medium = at(h / 2), fine = at(h / 4);
  return std::log2(distance(model, coarse, medium) / distance(model, medium, fine));
}

constexpr const char* kDoublePendulum = R"(
bodies:
  - {name: upper, mass: 1, inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}, center: [0, 0, -0.5]}
  - {name: lower, mass: 1, inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}, center: [0, 0, -0.5]}
joints:
  - {name: shoulder, type: revolute, parent: world, child: upper, axis: [0, 1, 0], position: 0.7, damping: 0.1}
  - {name: elbow, type: revolute, parent: upper, child: lower, axis: [0, 1, 0], pose: {position: [0, 0, -1]}, position: -0.4, stiffness: 3}
)";

// As published the half steps are of first order; extrapolated they are of second, at the same cost.
TEST(StepDoubling, ExtrapolationIsOfSecondOrder) {
  const Model model = control_testing::model_of(kDoublePendulum);
  EXPECT_NEAR(observed_order(model, {.method = "cenic-paper"}, 0.3, 0.3 / 512), 1, 0.1);
  EXPECT_NEAR(observed_order(model, {.method = "cenic"}, 0.3, 0.3 / 128), 2, 0.1);
}

// The same in contact, as long as nothing changes its mode: a ball that oscillates on a soft, undamped floor.
TEST(StepDoubling, ExtrapolationIsOfSecondOrderInContact) {
  const Model model = ball_on_floor(0.0495, 1e3, 0);
  EXPECT_NEAR(observed_order(model, {.method = "cenic-paper"}, 0.064, 0.002), 1, 0.15);
  EXPECT_NEAR(observed_order(model, {.method = "cenic"}, 0.064, 0.002), 2, 0.2);
}

// A body that nothing touches flies without error, and its steps are as long as they may be.
TEST(StepDoubling, FreeFlightIsExact) {
  const Model model = control_testing::tumbling_box();
  const State start = initial_state(model);
  const auto out = run(model, {.method = "cenic", .accuracy = 1e-3}, 10);
  ASSERT_TRUE(out.status.ok());
  EXPECT_LE(out.steps, 105);
  EXPECT_NEAR(out.state.q[0], 10, 1e-9);
  EXPECT_NEAR(out.state.q[2], 100 - 0.5 * 9.81 * 100, 1e-9);
  const auto rotational = [&](const State& state) {
    const Vector3d w = state.v.segment<3>(3);
    return w.dot(model.links[1].inertia.inertia * w);
  };
  EXPECT_NEAR(rotational(out.state) / rotational(start), 1, 1e-6);
}

// The error estimate of the published scheme is of second order: a quarter at half the step.
TEST(StepDoubling, ErrorEstimateIsOfSecondOrder) {
  const Model model = control_testing::model_of(kDoublePendulum);
  const State start = initial_state(model);
  const auto error_of = [&](double h) {
    const std::unique_ptr<Stepper> stepper = make_stepper({.method = "cenic-paper", .time_step = h}, model);
    State next;
    StepRecord record;
    EXPECT_TRUE(stepper->step(start, kInfinity, next, record).ok());
    return record.error;
  };
  EXPECT_NEAR(std::log2(error_of(0.01) / error_of(0.005)), 2, 0.1);
}

// A collision is not smooth in h: extrapolating through it would be harmful, and is not done. The ball never leaves the
// floor faster than it came.
TEST(StepDoubling, DoesNotExtrapolateThroughImpacts) {
  const Model model = ball_on_floor(0.3, 1e5, 10);
  for (double accuracy : {1e-1, 1e-2, 1e-3, 1e-4}) {
    const std::unique_ptr<Stepper> stepper = make_stepper({.method = "cenic", .accuracy = accuracy}, model);
    State state = initial_state(model), next;
    const double energy = step_testing::total_energy(model, state);
    while (state.time < 1) {
      StepRecord record;
      ASSERT_TRUE(stepper->step(state, 1, next, record).ok());
      state = next;
      EXPECT_LE(step_testing::total_energy(model, state), energy * (1 + 1e-9)) << accuracy << " at " << state.time;
    }
  }
}

}  // namespace
}  // namespace stickslip
