#include "stickslip/control/error_control.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/control/control_testing.h"

namespace stickslip {
namespace {

using control_testing::ball_on_floor;
using control_testing::run;

// A scheme whose error is what the test says, and whose state is the time.
class ToldScheme final : public Scheme {
 public:
  explicit ToldScheme(double coefficient) : coefficient_(coefficient) {}
  Status prepare(const State& start, double) override {
    start_ = start;
    ++prepared;
    return {};
  }
  Status attempt(double h, State& next, Attempt& attempt) override {
    next = start_;
    next.time += h;
    attempt.error = {coefficient_ * h * h, 0};
    tried.push_back(h);
    return next.time > broken_after ? Status{StatusCode::kNotSolved, start_.time, "ball", "told so"} : Status{};
  }
  EnergyGain measure_gain(double h, const State&, const StepWork&) override {
    return {.over = h > gains_above ? 2.0 : 0.0, .gained = 3, .in_play = 1, .tree = 0};
  }
  int order() const override { return 2; }
  Method& method() override { std::abort(); }

  double gains_above = kInfinity;  // steps that make energy from nothing
  std::vector<double> tried;
  int prepared = 0;
  double broken_after = kInfinity;

 private:
  double coefficient_;
  State start_;
};

struct Control {
  explicit Control(double coefficient, const ControlOptions& options = {}) {
    auto own = std::make_unique<ToldScheme>(coefficient);
    scheme = own.get();
    control = std::make_unique<ErrorControl>(model, std::move(own), options);
  }
  StepRecord step(double end) {
    StepRecord record;
    status = control->step(state, end, next, record);
    if (status.ok()) state = next;
    return record;
  }

  Model model = ball_on_floor(1, 1e5, 10);
  ToldScheme* scheme = nullptr;
  std::unique_ptr<ErrorControl> control;
  State state = initial_state(model), next;
  Status status;
};

TEST(ErrorControl, StepsSettleWhereTheAccuracyIsJustMet) {
  Control control(10.0, {.accuracy = 1e-3});  // met by h = 1e-2
  for (int i = 0; i < 20; ++i) control.step(kInfinity);
  EXPECT_NEAR(control.state.step_size, 1e-2, 0.21e-2);
  EXPECT_LE(control.step(kInfinity).error, 1e-3);
}

// A rejected step keeps its preparation.
TEST(ErrorControl, RejectedStepsAreShortenedAndPreparedOnce) {
  Control control(1e5, {.accuracy = 1e-3});
  const StepRecord record = control.step(kInfinity);
  ASSERT_TRUE(control.status.ok());
  EXPECT_GE(record.rejected, 1);
  EXPECT_EQ(control.scheme->prepared, 1);
  for (size_t i = 1; i < control.scheme->tried.size(); ++i)
    EXPECT_LT(control.scheme->tried[i], control.scheme->tried[i - 1]);
}

// Ends that come earlier than the step wants leave no sliver and no mark on the memory.
TEST(ErrorControl, EarlyEndsLeaveTheMemoryAlone) {
  Control control(1e-3, {.accuracy = 1e-3});  // wants the longest step
  for (int i = 0; i < 5; ++i) control.step(kInfinity);
  const double wanted = control.state.step_size;
  EXPECT_EQ(wanted, 0.1);
  for (double piece : {0.03, 1e-4, 0.07, 1e-6}) {
    const double end = control.state.time + piece;
    int steps = 0;
    while (control.state.time < end && ++steps < 10) control.step(end);
    EXPECT_EQ(steps, 1);
    EXPECT_EQ(control.state.step_size, wanted);
  }
}

TEST(ErrorControl, NoSliverIsLeftBeforeTheEnd) {
  Control control(1e-3, {.accuracy = 1e-3});
  for (int i = 0; i < 5; ++i) control.step(kInfinity);
  const double start = control.state.time, end = start + 0.10002;
  EXPECT_EQ(control.step(end).h, end - start);
  const double later = control.state.time + 0.101;  // a little more than one step: two equal ones
  EXPECT_NEAR(control.step(later).h, 0.0505, 1e-12);
}

TEST(ErrorControl, FailedSolvesAreRetriedWithShorterSteps) {
  Control control(1e-3, {.accuracy = 1e-3});
  control.scheme->broken_after = 1e-4;
  const StepRecord record = control.step(kInfinity);
  EXPECT_TRUE(control.status.ok());
  EXPECT_GE(record.rejected, 2);
  EXPECT_LE(record.h, 1e-4);
}

// At the smallest step: stop, and say who, when and why.
TEST(ErrorControl, StopsAtTheSmallestStepWithBodyTimeAndCause) {
  Control hopeless(1e30, {.accuracy = 1e-3, .min_step = 1e-6});
  hopeless.step(kInfinity);
  EXPECT_EQ(hopeless.status.code, StatusCode::kNotAccurate);
  EXPECT_EQ(hopeless.status.body, "ball");
  EXPECT_NE(hopeless.status.message.find("1e-06 s"), std::string::npos) << hopeless.status.message;

  Control broken(1, {.accuracy = 1e-3, .min_step = 1e-6});
  broken.scheme->broken_after = -1;
  broken.step(kInfinity);
  EXPECT_EQ(broken.status.code, StatusCode::kNotSolved);
  EXPECT_NE(broken.status.message.find("told so"), std::string::npos);
}

// An end closer than the smallest step is no reason to stop.
TEST(ErrorControl, EndsCloserThanTheSmallestStepAreReached) {
  Control control(1e-3, {.accuracy = 1e-3, .min_step = 1e-3});
  const double end = 1e-5;
  EXPECT_EQ(control.step(end).h, end);
  EXPECT_TRUE(control.status.ok());
}

// The same trajectory, to the bit, from a saved state.
TEST(ErrorControl, ContinuesFromASavedStateBitForBit) {
  const Model model = ball_on_floor(0.2, 1e5, 10, 1);
  const StepperOptions options{.method = "cenic", .accuracy = 1e-3};
  const std::unique_ptr<Stepper> one = make_stepper(options, model);
  State state = initial_state(model), next;
  StepRecord record;
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(one->step(state, kInfinity, next, record).ok());
    state = next;
    if (i < 25) continue;
    // A stepper that has seen nothing goes on from here as this one does.
    const std::unique_ptr<Stepper> other = make_stepper(options, model);
    State own, theirs;
    ASSERT_TRUE(one->step(state, kInfinity, own, record).ok());
    ASSERT_TRUE(other->step(state, kInfinity, theirs, record).ok());
    EXPECT_EQ(hash(own), hash(theirs)) << "step " << i;
  }
}

// A ball far away moves fast: what it would hit after a long way is looked at again from nearer.
TEST(ErrorControl, FastBodiesNeitherPassWallsNorBounceOffTheAir) {
  const auto thrown = [](double offset, double speed, double accuracy) {
    const Model model = control_testing::model_of(fmt::format(R"(
gravity: [0, 0, 0]
materials: {{steel: {{stiffness: 1.0e8, dissipation: 0.1, friction: 0}}, rigid: {{stiffness: .inf, dissipation: 0, friction: 0}}}}
bodies:
  - {{name: ball, density: 1000, pose: {{position: [0, {}, 0]}}, velocity: {{linear: [{}, 0, 0]}}, geometry: [{{sphere: {{radius: 0.005}}, material: steel}}]}}
  - {{name: wall, fixed: true, pose: {{position: [1, 0, 0]}}, geometry: [{{box: {{size: [0.001, 0.2, 0.2]}}, material: rigid}}]}}
)",
                                                              offset, speed));
    return run(model, {.method = "cenic", .accuracy = accuracy, .weights = VectorXd(VectorXd::Ones(6))}, 2 / speed);
  };
  for (double speed : {1.0, 10.0, 100.0}) {
    for (double accuracy : {1e-1, 1e-2, 1e-3, 1e-4}) {
      const auto hit = thrown(0.02, speed, accuracy);
      ASSERT_TRUE(hit.status.ok()) << hit.status.message;
      EXPECT_LT(hit.state.q[0], 1) << speed << " m/s at " << accuracy;
      const auto miss = thrown(0.1 + 0.005 + 0.001, speed, accuracy);
      ASSERT_TRUE(miss.status.ok()) << miss.status.message;
      EXPECT_NEAR(miss.state.q[0], 2, 1e-6) << speed << " m/s at " << accuracy;
      EXPECT_NEAR(miss.state.q[1], 0.106, 1e-9);
    }
  }
}

// A stick that spins past the floor hits it, though none of its points moves straight.
TEST(ErrorControl, SpinningBodiesDoNotReachIntoTheFloor) {
  for (double spin : {5.0, 20.0, 60.0}) {
    const Model model = control_testing::model_of(fmt::format(R"(
gravity: [0, 0, 0]
materials: {{hard: {{stiffness: 1.0e6, dissipation: 0, friction: 0}}, rigid: {{stiffness: .inf, dissipation: 0, friction: 0}}}}
bodies:
  - {{name: stick, density: 1000, pose: {{position: [0, 0, 0.06]}}, velocity: {{angular: [0, {}, 0]}}, geometry: [{{box: {{size: [0.2, 0.02, 0.02]}}, material: hard}}]}}
  - {{name: floor, fixed: true, geometry: [{{half_space: {{}}, material: rigid}}]}}
)",
                                                              spin));
    for (double accuracy : {1e-1, 1e-2, 1e-3}) {
      const std::unique_ptr<Stepper> stepper = make_stepper({.method = "cenic", .accuracy = accuracy}, model);
      State state = initial_state(model), next;
      double deepest = 0;
      while (state.time < 2) {
        StepRecord record;
        ASSERT_TRUE(stepper->step(state, 2, next, record).ok());
        deepest = std::max(deepest, record.overlap);
        state = next;
      }
      // Half its mass at the speed of its tip compresses the floor by this much.
      const double mass = 0.08, converged = 0.1 * spin * std::sqrt(0.5 * mass / 1e6);
      EXPECT_LE(deepest, 3 * converged + 1e-3) << spin << " rad/s at " << accuracy;
    }
  }
}

// An attempt that makes energy from nothing is refused and halved, however accurate it seems.
TEST(ErrorControl, HalvesStepsThatGainEnergy) {
  Control control(0, {.initial = 1});
  control.scheme->gains_above = 0.03;
  const StepRecord record = control.step(10);
  ASSERT_TRUE(control.status.ok());
  EXPECT_EQ(record.rejected, 2);
  EXPECT_EQ(record.hold, StepHold::kEnergy);
  EXPECT_DOUBLE_EQ(record.h, 0.025);  // of 0.1
}

// What ten halvings do not mend ends the run, at the last good state, with a status that says who and how much.
TEST(ErrorControl, StopsWhatGainsEnergyInAnyStep) {
  Control control(0, {.initial = 1});
  control.scheme->gains_above = 0;
  control.step(10);
  EXPECT_EQ(control.status.code, StatusCode::kGainedEnergy);
  EXPECT_EQ(control.status.body, "ball");
  EXPECT_EQ(control.scheme->tried.size(), 11u);
  EXPECT_NE(control.status.message.find("3 J even in a step of 9.77e-05 s, where 1 J are in play"), std::string::npos)
      << control.status.message;
}

// As published, and at fixed steps, no attempt is refused for it.
TEST(ErrorControl, LeavesEnergyAloneWhereItIsNotAsked) {
  Control control(0, {.initial = 1, .guards_energy = false});
  control.scheme->gains_above = 0;
  EXPECT_EQ(control.step(10).rejected, 0);
  EXPECT_TRUE(control.status.ok());
}

}  // namespace
}  // namespace stickslip
