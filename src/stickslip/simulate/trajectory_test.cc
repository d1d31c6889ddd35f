#include "stickslip/simulate/trajectory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "stickslip/model/forest_testing.h"

namespace stickslip {
namespace {

using forest_testing::forest;

std::shared_ptr<const Model> forest_model(unsigned seed) {
  return std::make_shared<const Model>(compile(forest(seed, {.forces = true})));
}

// Recording never changes a trajectory: any sample rate, none, and a plain simulator end in the same bits.
TEST(Trajectory, SamplingNeverChangesTheEnd) {
  const auto model = forest_model(1);
  const SimulatorOptions options{.method = "rk4", .time_step = 3e-3};
  Simulator plain(model, options);
  ASSERT_TRUE(plain.advance_to(0.1).ok());
  for (std::optional<double> rate : {std::optional<double>(), {1.0}, {60.0}, {977.0}, {10000.0}}) {
    const Trajectory run = simulate(model, {.simulator = options, .until = 0.1, .sample_rate = rate});
    EXPECT_EQ(hash(run.end), hash(plain.state())) << rate.value_or(0);
    EXPECT_EQ(run.report.steps, plain.report().steps);
  }
}

// Without a rate every step is a row, the start first and the end last.
TEST(Trajectory, EveryStepIsARow) {
  const auto model = forest_model(2);
  const Trajectory run = simulate(model, {.simulator = {.time_step = 0.01}, .until = 0.1});
  ASSERT_EQ(run.t.size(), 11u);
  EXPECT_EQ(run.t.front(), 0);
  EXPECT_EQ(run.t.back(), 0.1);
  ASSERT_EQ(run.q.size(), run.t.size() * static_cast<size_t>(model->nq));
  ASSERT_EQ(run.v.size(), run.t.size() * static_cast<size_t>(model->nv));
  EXPECT_EQ(Eigen::Map<const VectorXd>(run.q.data(), model->nq), model->q0);
  EXPECT_EQ(Eigen::Map<const VectorXd>(&run.q[10 * static_cast<size_t>(model->nq)], model->nq), run.end.q);
}

// Samples stand at k/rate, from the start to the end, both included, whatever the steps are.
TEST(Trajectory, SamplesStandAtMultiplesOfThePeriod) {
  const auto model = forest_model(3);
  for (double h : {1e-3, 7e-3, 0.05}) {
    const Trajectory run = simulate(model, {.simulator = {.time_step = h}, .until = 0.2, .sample_rate = 100.0});
    ASSERT_EQ(run.t.size(), 21u) << h;
    for (size_t i = 0; i < run.t.size(); ++i) EXPECT_NEAR(run.t[i], 0.01 * static_cast<double>(i), 1e-15);
    EXPECT_EQ(run.q.size(), run.t.size() * static_cast<size_t>(model->nq));
  }
}

// Samples interpolate: of a body in uniform rotation and flight they are exact.
TEST(Trajectory, SamplesOfUniformMotionAreExact) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies.push_back({.name = "ball", .inertia = {1, Vector3d::Zero(), Matrix3d::Identity()}});
  scene.bodies[0].linear_velocity = {1, 2, 3};
  scene.bodies[0].angular_velocity = {0, 0, 2};
  const Trajectory run =
      simulate(compile(scene), {.simulator = {.time_step = 0.07}, .until = 0.5, .sample_rate = 90.0});
  ASSERT_EQ(run.t.size(), 46u);
  for (size_t i = 0; i < run.t.size(); ++i) {
    const double t = run.t[i];
    const Eigen::Map<const VectorXd> q(&run.q[7 * i], 7);
    // Round-off of a few steps.
    EXPECT_LE((q.head<3>() - t * Vector3d(1, 2, 3)).norm(), 1e-14);
    EXPECT_NEAR(std::abs(q[3]), std::abs(std::cos(t)), 1e-14);
    EXPECT_NEAR(std::abs(q[6]), std::abs(std::sin(t)), 1e-14);
  }
}

// A run stopped by its caller returns what it has.
TEST(Trajectory, StoppedRunReturnsWhatItHas) {
  int asked = 0;
  const Trajectory run = simulate(
      forest_model(4), {.simulator = {.time_step = 0.01}, .until = 1.0, .keep_going = [&] { return ++asked <= 5; }});
  EXPECT_EQ(run.report.status.code, StatusCode::kInterrupted);
  EXPECT_EQ(run.t.size(), 6u);
  EXPECT_EQ(run.end.time, run.t.back());
}

// A run that cannot go on returns the last good state and says why.
TEST(Trajectory, FailedRunEndsAtTheLastGoodState) {
  Scene scene;
  scene.bodies.push_back({.name = "ghost"});
  const Trajectory run = simulate(compile(scene), {.until = 1.0});
  EXPECT_EQ(run.report.status.code, StatusCode::kSingularMass);
  EXPECT_EQ(run.report.status.body, "ghost");
  EXPECT_EQ(run.t.size(), 1u);
  EXPECT_EQ(run.end.time, 0);
}

// The end of the scene counts unless the options say otherwise; times and rates that are none are refused.
TEST(Trajectory, OptionsAreChecked) {
  Scene scene;
  scene.bodies.push_back({.name = "ball", .inertia = {1, Vector3d::Zero(), Matrix3d::Identity()}});
  scene.simulation.until = 0.02;
  EXPECT_EQ(simulate(compile(scene)).end.time, 0.02);
  EXPECT_EQ(simulate(compile(scene), {.until = 0.01}).end.time, 0.01);
  EXPECT_EQ(simulate(compile(scene), {.until = 0.0}).end.time, 0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(simulate(compile(scene), {.until = nan}), std::invalid_argument);
  EXPECT_THROW(simulate(compile(scene), {.until = kInfinity}), std::invalid_argument);
  EXPECT_THROW(simulate(compile(scene), {.sample_rate = 0.0}), std::invalid_argument);
  EXPECT_THROW(simulate(compile(scene), {.sample_rate = nan}), std::invalid_argument);
}

// An infinite rate has no period: refused, not an endless recording.
TEST(Trajectory, InfiniteSampleRateIsRefused) {
  Scene scene;
  scene.bodies.push_back({.name = "ball", .inertia = {1, Vector3d::Zero(), Matrix3d::Identity()}});
  int asked = 0;
  const SimulateOptions options{.until = 0.01, .sample_rate = kInfinity, .keep_going = [&] { return ++asked < 2; }};
  EXPECT_THROW(simulate(compile(scene), options), std::invalid_argument);
}

}  // namespace
}  // namespace stickslip
