#include "stickslip/control/step_doubling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/contact/lagged_model.h"
#include "stickslip/control/control_testing.h"
#include "stickslip/dynamics/energy.h"
#include "stickslip/step/convex_step.h"
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

// An attempt whose first two solves tell that it fails is not carried through: two solves, one geometry query. A
// pendulum at steps of a second fails so plainly.
TEST(StepDoubling, HopelessAttemptsAreGivenUp) {
  const Model model = control_testing::model_of(kDoublePendulum);
  const auto made = [&](bool gives_up) {
    DoublingOptions options{.accuracy = 1e-6, .gives_up = gives_up};
    return StepDoubling(model, std::make_unique<ConvexStep<LaggedModel>>(model, MethodOptions()),
                        {identity_weights(model)}, options);
  };
  const State start = initial_state(model);
  State next;
  for (bool gives_up : {true, false}) {
    StepDoubling doubling = made(gives_up);
    Attempt attempt;
    ASSERT_TRUE(doubling.prepare(start, 1).ok() && doubling.attempt(1, next, attempt).ok());
    EXPECT_EQ(attempt.is_given_up, gives_up);
    EXPECT_GT(attempt.error.value, 1e-6);
    EXPECT_EQ(doubling.method().take_statistics().geometry_queries, gives_up ? 1 : 2);
    Attempt short_one;
    ASSERT_TRUE(doubling.attempt(1e-5, next, short_one).ok());
    EXPECT_FALSE(short_one.is_given_up);
  }
}

// A step that is refused because something was hit in it ends there at the next try: flight up to the hit, contact from
// there on, and both smooth. The ball comes down within a thousandth of its radius of the floor before it touches it.
TEST(StepDoubling, StepsEndWhereSomethingIsHit) {
  const Model model = ball_on_floor(0.3, 1e5, 10);
  double least_gap = kInfinity;
  run(model, {.method = "cenic", .accuracy = 1e-5}, 0.3, initial_state(model), [&](const State& state) {
    const double gap = state.q[2] - 0.05;
    if (gap > 0 && state.v[2] < 0) least_gap = std::min(least_gap, gap);
  });
  EXPECT_LT(least_gap, 5e-5);
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
