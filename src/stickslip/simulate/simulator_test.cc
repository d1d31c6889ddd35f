#include "stickslip/simulate/simulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "stickslip/model/forest_testing.h"

namespace stickslip {
namespace {

using forest_testing::forest;
using ::testing::HasSubstr;

const char* const kMethods[] = {"semi-implicit-euler", "rk4"};

// A point mass on a rod of 1 m, 60 degrees from hanging.
Scene pendulum() {
  Scene scene;
  scene.bodies.push_back({.name = "bob", .inertia = {2, {0, 0, -1}, 0.01 * Matrix3d::Identity()}});
  scene.joints.push_back(
      {.name = "hinge", .child = "bob", .axis = Vector3d::UnitY(), .position = {std::numbers::pi / 3}});
  return scene;
}

std::shared_ptr<const Model> shared(const Scene& scene) { return std::make_shared<const Model>(compile(scene)); }

// The same without gravity, at rest: for steps that no pendulum survives.
Scene resting_pendulum() {
  Scene scene = pendulum();
  scene.gravity.setZero();
  return scene;
}

// advance_to ends exactly at the time asked for, and no step is a sliver: none is shorter than half of the others.
TEST(Simulator, AdvanceToHitsTheTimeWithoutSlivers) {
  const auto model = shared(resting_pendulum());
  struct Ratio {
    double h, until;
  };
  for (const Ratio& ratio : {Ratio{0.1, 1.0},
                             {0.1, 1.0 / 3},
                             {0.1, 0.3},
                             {1e-3, 1.0},
                             {0.7e-3, 0.21},
                             {1.0 / 3, 100},
                             {0.01, 0.070000001},
                             {0.1, 0.1 + 1e-7},
                             {3e-3, 3},
                             {1e-3, 2},
                             {1.1e-3, 3.3}}) {
    Simulator sim(model, {.method = "semi-implicit-euler", .time_step = ratio.h});
    ASSERT_TRUE(sim.advance_to(ratio.until).ok());
    EXPECT_EQ(sim.time(), ratio.until);
    const Report report = sim.report();
    EXPECT_GE(report.h_min, ratio.h / 4) << ratio.h << " to " << ratio.until;
    EXPECT_LE(report.h_max, ratio.h * 1.01) << ratio.h << " to " << ratio.until;
    EXPECT_LE(std::abs(static_cast<double>(report.steps) - ratio.until / ratio.h), 1) << ratio.h;
  }
}

// Where the step divides the time, to round-off, all steps but the last are the step to the bit, as step() takes them.
TEST(Simulator, AdvanceToTakesTheStepsOfStep) {
  const auto model = shared(resting_pendulum());
  for (double h : {0.1, 0.01, 1e-3, 3e-3, 0.7}) {
    Simulator one(model, {.time_step = h}), all(model, {.time_step = h});
    for (int i = 0; i < 99; ++i) ASSERT_TRUE(one.step().ok());
    ASSERT_TRUE(all.advance_to(100 * h, [&] { return all.report().steps < 99; }).code == StatusCode::kInterrupted);
    EXPECT_EQ(hash(one.state()), hash(all.state())) << h;
  }
}

// Late in a run the clock rounds each step by much more than at its start; what it gathers does not end in a sliver.
TEST(Simulator, RoundOffOfTheClockLeavesNoSliver) {
  const auto model = shared(pendulum());
  constexpr double kLate = 1e5;  // [s]: the clock's grain is 1e-11 s
  for (double h : {1e-3, 3e-3, 0.7e-3, 1.3e-3, 1.0 / 300}) {
    Simulator sim(model, {.method = "semi-implicit-euler", .time_step = h});
    sim.state().time = kLate;
    const double until = kLate + 500 * h;
    ASSERT_TRUE(sim.advance_to(until).ok());
    EXPECT_EQ(sim.time(), until);
    EXPECT_GE(sim.report().h_min, 0.99 * h) << h;
    EXPECT_EQ(sim.report().steps, 500) << h;
  }
}

// Time does not run backward, and a time that is no number is a status, not an endless loop; neither takes a step.
TEST(Simulator, AdvanceToThePastOrToNoTimeTakesNoStep) {
  Simulator sim(shared(pendulum()), {.time_step = 0.01});
  ASSERT_TRUE(sim.advance_to(0.5).ok());
  const State before = sim.state();
  EXPECT_TRUE(sim.advance_to(0.5).ok());
  EXPECT_THROW(sim.advance_to(0.2), std::invalid_argument);
  EXPECT_FALSE(sim.advance_to(kInfinity).ok());
  EXPECT_FALSE(sim.advance_to(std::numeric_limits<double>::quiet_NaN()).ok());
  EXPECT_EQ(sim.state(), before);
}

// Two identical runs end in the same bits.
TEST(Simulator, IdenticalRunsHaveIdenticalHashes) {
  const auto model = shared(forest(1, {.forces = true}));
  for (const char* method : kMethods) {
    Simulator a(model, {.method = method, .time_step = 2e-3}), b(model, {.method = method, .time_step = 2e-3});
    ASSERT_TRUE(a.advance_to(0.3).ok());
    ASSERT_TRUE(b.advance_to(0.3).ok());
    EXPECT_EQ(hash(a.state()), hash(b.state())) << method;
  }
}

// Save, go on elsewhere, restore and continue: the same bits as without the detour; in a new simulator too.
TEST(Simulator, RestoredStateContinuesBitForBit) {
  const auto model = shared(forest(2, {.forces = true}));
  for (const char* method : kMethods) {
    const SimulatorOptions options{.method = method, .time_step = 2e-3};
    Simulator sim(model, options);
    ASSERT_TRUE(sim.advance_to(0.1).ok());
    const State saved = sim.state();
    ASSERT_TRUE(sim.advance_to(0.2).ok());
    const std::uint64_t expected = hash(sim.state());
    sim.reset();
    ASSERT_TRUE(sim.advance_to(0.05).ok());
    sim.set_state(saved);
    ASSERT_TRUE(sim.advance_to(0.2).ok());
    EXPECT_EQ(hash(sim.state()), expected) << method;
    Simulator fresh(model, options);
    fresh.set_state(saved);
    ASSERT_TRUE(fresh.advance_to(0.2).ok());
    EXPECT_EQ(hash(fresh.state()), expected) << method;
  }
}

// A copy made mid-run goes on like the original, and the two do not share their state.
TEST(Simulator, CopyContinuesIdentically) {
  const auto model = shared(forest(3, {.forces = true}));
  Simulator sim(model, {.method = "rk4", .time_step = 2e-3});
  ASSERT_TRUE(sim.advance_to(0.1).ok());
  Simulator copy(sim);
  EXPECT_EQ(hash(copy.state()), hash(sim.state()));
  ASSERT_TRUE(copy.advance_to(0.2).ok());
  EXPECT_EQ(sim.time(), 0.1);
  ASSERT_TRUE(sim.advance_to(0.2).ok());
  EXPECT_EQ(hash(copy.state()), hash(sim.state()));
  EXPECT_EQ(copy.report().steps, sim.report().steps);
  EXPECT_EQ(copy.report().energy.start, sim.report().energy.start);
}

// Questions between steps (poses, energies, reports) do not change the trajectory.
TEST(Simulator, QueriesDoNotChangeTheRun) {
  const auto model = shared(forest(4, {.forces = true}));
  Simulator quiet(model, {.time_step = 2e-3}), asked(model, {.time_step = 2e-3});
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(quiet.step().ok());
    ASSERT_TRUE(asked.step().ok());
    (void)asked.report();
    (void)asked.kinetic_energy();
    (void)asked.body_pose(1);
  }
  EXPECT_EQ(hash(quiet.state()), hash(asked.state()));
}

// The answers are those of the state as it is now, also after a user wrote to it.
TEST(Simulator, QueriesSeeWrites) {
  Simulator sim(shared(pendulum()));
  const double before = sim.potential_energy();
  sim.state().q[0] = 0;
  EXPECT_NEAR(before - sim.potential_energy(), 2 * 9.81 * (1 - std::cos(std::numbers::pi / 3)), 1e-13);
  sim.state().v[0] = 3;
  EXPECT_NEAR(sim.kinetic_energy(), 0.5 * (2 + 0.01) * 9, 1e-13);
  EXPECT_NEAR(sim.body_velocity(1).w.y(), 3, 1e-15);
}

// reset() goes back to the start of the file, whatever was written.
TEST(Simulator, ResetReturnsToTheStart) {
  Simulator sim(shared(forest(5, {.forces = true})));
  const State start = sim.state();
  ASSERT_TRUE(sim.advance_to(0.01).ok());
  sim.state().ctrl.setConstant(7);
  sim.reset();
  EXPECT_EQ(sim.state(), start);
}

// A state of another model is refused, and says which part has the wrong size.
TEST(Simulator, SetStateRefusesOtherSizes) {
  Simulator sim(shared(forest(6, {.forces = true})));
  for (int part = 0; part < 4; ++part) {
    State state = sim.state();
    VectorXd* const parts[] = {&state.q, &state.v, &state.ctrl, &state.mocap};
    const char* const names[] = {"q", "v", "ctrl", "mocap"};
    parts[part]->conservativeResize(parts[part]->size() - 1);
    try {
      sim.set_state(state);
      ADD_FAILURE() << names[part];
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), HasSubstr(names[part]));
    }
  }
}

// A step that fails leaves the last good state, says so in the report, and the run can go on once the cause is gone.
TEST(Simulator, FailedStepKeepsTheLastGoodState) {
  Scene scene = pendulum();
  scene.actuators.push_back({.name = "motor", .joint = "hinge"});
  for (const char* method : kMethods) {
    Simulator sim(shared(scene), {.method = method, .time_step = 0.01});
    ASSERT_TRUE(sim.advance_to(0.1).ok());
    const State good = sim.state();
    sim.state().ctrl[0] = kInfinity;
    ASSERT_FALSE(sim.step().ok()) << method;
    const Report report = sim.report();
    EXPECT_EQ(report.status.code, StatusCode::kNotFinite);
    EXPECT_EQ(report.status.body, "bob");
    EXPECT_EQ(report.status.time, sim.time());
    EXPECT_EQ(report.rejected, 1);
    EXPECT_FALSE(sim.step().ok());
    EXPECT_EQ(sim.state().time, good.time);
    EXPECT_EQ(sim.state().q, good.q);
    EXPECT_EQ(sim.state().v, good.v);
    sim.state().ctrl[0] = 0;
    sim.state().v[0] = 1;
    ASSERT_TRUE(sim.step().ok());
    EXPECT_TRUE(sim.report().status.ok());
    EXPECT_TRUE(std::isfinite(sim.report().energy.start)) << method;
  }
}

// An interrupted run keeps what it computed, is not an error of the numbers, and goes on as if nothing had happened.
TEST(Simulator, InterruptedRunKeepsItsStateAndGoesOn) {
  const auto model = shared(forest(7, {.forces = true}));
  Simulator whole(model, {.time_step = 2e-3}), interrupted(model, {.time_step = 2e-3});
  ASSERT_TRUE(whole.advance_to(0.1).ok());
  int asked = 0;
  const Status status = interrupted.advance_to(0.1, [&] { return ++asked <= 20; });
  EXPECT_EQ(status.code, StatusCode::kInterrupted);
  EXPECT_EQ(interrupted.report().status.code, StatusCode::kInterrupted);
  EXPECT_GT(interrupted.time(), 0);
  EXPECT_LT(interrupted.time(), 0.1);
  EXPECT_EQ(status.time, interrupted.time());
  ASSERT_TRUE(interrupted.advance_to(0.1).ok());
  EXPECT_EQ(hash(interrupted.state()), hash(whole.state()));
}

// Options that are wrong are answered with a sentence that helps; the constructor throws that sentence.
TEST(SimulatorOptions, CheckSaysWhatIsWrong) {
  const Model model = compile(pendulum());
  EXPECT_EQ(check({}, model), "");
  EXPECT_THAT(check({.method = "rk5"}, model), HasSubstr("did you mean 'rk4'?"));
  EXPECT_THAT(check({.method = "rk5"}, model), HasSubstr("'rk5'"));
  EXPECT_THAT(check({.method = "rk4", .accuracy = 1e-3}, model), HasSubstr("time_step"));
  EXPECT_THAT(check({.accuracy = 1e-3, .time_step = 1e-3}, model), HasSubstr("not both"));
  for (double h : {-1.0, 0.0, kInfinity, std::numeric_limits<double>::quiet_NaN(), 1e-300}) {
    EXPECT_THAT(check({.time_step = h}, model), HasSubstr("time_step")) << h;
  }
  try {
    Simulator sim(model, {.method = "rk5"});
    ADD_FAILURE() << "no exception";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(error.what(), check({.method = "rk5"}, model));
  }
}

// Without options the scene's method and step count, else cenic, or anchored if a step is given; options win over the
// scene.
TEST(SimulatorOptions, DefaultToTheScene) {
  Scene scene = pendulum();
  EXPECT_EQ(Simulator(shared(scene)).method(), "cenic");
  EXPECT_EQ(Simulator(shared(scene), {.time_step = 2e-3}).method(), "anchored");
  EXPECT_EQ(Simulator(shared(scene), {.method = "lagged"}).time_step(), 1e-3);
  scene.simulation = {.time_step = 0.01};
  EXPECT_EQ(Simulator(shared(scene)).method(), "anchored");
  EXPECT_EQ(Simulator(shared(scene)).time_step(), 0.01);
  EXPECT_EQ(Simulator(shared(scene), {.accuracy = 1e-3}).method(), "cenic");
  scene.simulation = {.method = "rk4", .time_step = 0.02};
  EXPECT_EQ(Simulator(shared(scene)).method(), "rk4");
  EXPECT_EQ(Simulator(shared(scene)).time_step(), 0.02);
  const Simulator chosen(shared(scene), {.method = "semi-implicit-euler", .time_step = 0.5});
  EXPECT_EQ(chosen.method(), "semi-implicit-euler");
  EXPECT_EQ(chosen.time_step(), 0.5);
}

// The step that a file names is not one that somebody chose: whatever the method, it counts for who asks for it.
TEST(SimulatorOptions, UseTheStepOfAFileOnRequestOnly) {
  Scene scene = pendulum();
  scene.simulation.file_time_step = 0.02;
  const auto model = shared(scene);
  for (const char* method : {"", "cenic", "cenic-trapezoid"}) {
    const Report report = Simulator(model, {.method = method}).report();
    EXPECT_EQ(report.choice.accuracy, 1e-3) << method;
    EXPECT_EQ(report.choice.time_step, std::nullopt) << method;
    EXPECT_EQ(report.choice.unused_file_step, 0.02) << method;
    EXPECT_THAT(report.full(), HasSubstr("accuracy 0.001")) << method;
    EXPECT_THAT(report.full(), HasSubstr("time step of 0.02 s is not used")) << method;
  }
  EXPECT_EQ(Simulator(model, {.method = "lagged"}).time_step(), 1e-3);
  const Simulator asked(model, {.time_step = file_time_step(*model)});
  EXPECT_EQ(asked.method(), "anchored");
  EXPECT_EQ(asked.report().choice.time_step, 0.02);
  EXPECT_EQ(asked.report().choice.unused_file_step, std::nullopt);
  EXPECT_THAT(asked.report().full(), HasSubstr("anchored, time step 0.02 s"));
  EXPECT_EQ(Simulator(model, {.method = "cenic", .time_step = file_time_step(*model)}).report().choice.time_step, 0.02);
  EXPECT_THROW(file_time_step(*shared(pendulum())), std::invalid_argument);
}

// What a smooth method does not act on is said in the report, never dropped in silence.
TEST(Simulator, ReportWarnsOfWhatTheMethodIgnores) {
  Scene scene = pendulum();
  EXPECT_TRUE(Simulator(shared(scene)).report().warnings.empty());
  scene.joints[0].limits = {-1, 1};
  EXPECT_TRUE(Simulator(shared(scene), {.method = "lagged"}).report().warnings.empty());
  const std::vector<Warning> warnings = Simulator(shared(scene), {.method = "rk4"}).report().warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0].message, HasSubstr("1 joint limit"));
}

// Equal steps have their exact size as median; of many sizes the median is within a bin, 2 %.
TEST(StepSizes, MedianIsExactForEqualStepsAndCloseOtherwise) {
  StepSizes equal, many;
  for (int i = 0; i < 10; ++i) equal.add(1.7e-3);
  EXPECT_EQ(equal.median(), 1.7e-3);
  for (int i = 1; i <= 1001; ++i) many.add(1e-5 * i);
  EXPECT_EQ(many.min(), 1e-5);
  EXPECT_EQ(many.max(), 1e-5 * 1001);
  EXPECT_NEAR(many.median(), 501e-5, 0.022 * 501e-5);
  EXPECT_EQ(StepSizes().min(), 0);
  EXPECT_EQ(StepSizes().median(), 0);
}

}  // namespace
}  // namespace stickslip
