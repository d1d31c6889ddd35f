// External systems in a Simulator: states, ticks, copies.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "stickslip/simulate/simulator.h"
#include "stickslip/simulate/trajectory.h"
#include "stickslip/systems/arms_testing.h"
#include "stickslip/systems/function_system.h"
#include "stickslip/systems/gravity_compensation.h"
#include "stickslip/systems/inverse_dynamics_control.h"
#include "stickslip/systems/joint_pd.h"
#include "stickslip/systems/joint_pid.h"
#include "stickslip/systems/sampled.h"

namespace stickslip {
namespace {

using arms_testing::arm;
using arms_testing::one;
using arms_testing::stage;

std::shared_ptr<const System> pid(const Model& model) {
  return std::make_shared<JointPID>(model, JointControllerOptions{.kp = one(80), .kd = one(10), .target = one(0.3)},
                                    one(40));
}

// Systems' states stand one after the other, start at their start, and come back with a saved state bit for bit.
TEST(SimulatorSystems, StatesAreSavedRestoredAndReset) {
  const auto model = std::make_shared<const Model>(compile(arm()));
  for (const char* method : {"lagged", "rk4"}) {
    Simulator sim(model, {.method = method, .time_step = 2e-4});
    sim.add(std::make_shared<FunctionSystem>(SystemFunctions{
        .derivative = [](const SystemInput& in, Eigen::Ref<VectorXd> zdot) { zdot = -in.z; }, .z0 = one(4)}));
    sim.add(pid(*model));
    ASSERT_EQ(sim.state().z.size(), 8);
    EXPECT_EQ(sim.state().z[0], 4);
    ASSERT_TRUE(sim.advance_to(0.1).ok());
    const State saved = sim.state();
    EXPECT_GT(saved.z.tail(7).norm(), 0);
    Simulator twin(sim);
    ASSERT_TRUE(sim.advance_to(0.2).ok());
    ASSERT_TRUE(twin.advance_to(0.2).ok());
    const State end = sim.state();
    EXPECT_EQ(twin.state(), end);
    sim.set_state(saved);
    ASSERT_TRUE(sim.advance_to(0.2).ok());
    EXPECT_EQ(hash(sim.state()), hash(end));
    sim.reset();
    EXPECT_EQ(sim.state().z, (VectorXd{{4, 0, 0, 0, 0, 0, 0, 0}}));
    sim.set_state(initial_state(*model));  // knows of no systems
    EXPECT_EQ(sim.state().z[0], 4);
    State wrong = end;
    wrong.z.resize(3);
    EXPECT_THROW(sim.set_state(wrong), std::invalid_argument);
  }
}

// Gravity and its compensation cancel to round-off: an arm that starts at rest stays.
TEST(SimulatorSystems, CompensatedArmRests) {
  const auto model = std::make_shared<const Model>(compile(arm()));
  Simulator sim(model, {.method = "lagged", .time_step = 1e-2});
  sim.state().q << 0.3, 0.8, -0.4, -1.1, 0.2, 0.9, 0;
  const VectorXd start = sim.state().q;
  sim.add(std::make_shared<GravityCompensation>(*model));
  ASSERT_TRUE(sim.advance_to(2).ok());
  EXPECT_LE((sim.state().q - start).norm(), 1e-9);
}

// Steps end at ticks, whatever the time step; the controller runs once at each, from the first.
TEST(SimulatorSystems, StepsEndAtTicks) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 2.0)));
  for (const char* method : {"lagged", "rk4", "cenic"}) {
    Simulator sim(model, {.method = method, .time_step = 7e-3});
    std::vector<double> ticks;
    sim.add(std::make_shared<Sampled>(100, [&ticks](const SystemInput& in, Eigen::Ref<VectorXd> tau) {
      ticks.push_back(in.time());
      tau[0] = 4 * static_cast<double>(ticks.size());
    }));
    ASSERT_TRUE(sim.advance_to(0.035).ok());
    ASSERT_EQ(ticks.size(), 4u) << method;
    for (size_t k = 0; k < ticks.size(); ++k) EXPECT_DOUBLE_EQ(ticks[k], 0.01 * static_cast<double>(k));
    // 4, 8, 12 N over 10 ms each, and 16 N over 5 ms, on 2 kg.
    EXPECT_NEAR(sim.state().v[0], 0.01 * (2 + 4 + 6) + 0.005 * 8, 1e-9) << method;
  }
}

// Ticks that come far more often than the accuracy wants steps are not paid for with three solves each.
TEST(SimulatorSystems, TicksTakeOneSolveWhereThatIsEnough) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 2.0)));
  Simulator sim(model, {.method = "cenic", .accuracy = 1e-2});
  sim.add(std::make_shared<Sampled>(
      1000, [](const SystemInput& in, Eigen::Ref<VectorXd> tau) { tau[0] = std::cos(3 * in.time()); }));
  ASSERT_TRUE(sim.advance_to(1).ok());
  const Report report = sim.report();
  EXPECT_EQ(report.steps, 1000);
  EXPECT_LE(report.geometry_queries, 1010);  // step doubling would need 2000
  EXPECT_NEAR(sim.state().v[0], std::sin(3.0) / 3 / 2, 1e-3);
}

// A controller that throws leaves the last good state, and the next call goes on from it.
TEST(SimulatorSystems, ExceptionsOfAControllerComeThrough) {
  const auto model = std::make_shared<const Model>(compile(stage(1)));
  Simulator sim(model, {.method = "lagged", .time_step = 1e-2});
  bool broken = true;
  sim.add(std::make_shared<FunctionSystem>(SystemFunctions{.output = [&](const SystemInput& in, VectorXd& tau) {
    if (broken && in.time() > 0.045) throw std::runtime_error("no signal");
    tau[0] += 1;
  }}));
  EXPECT_THROW(static_cast<void>(sim.advance_to(0.1)), std::runtime_error);
  EXPECT_NEAR(sim.time(), 0.05, 1e-12);
  EXPECT_TRUE(sim.contacts().empty());
  broken = false;
  EXPECT_TRUE(sim.advance_to(0.1).ok());
  EXPECT_NEAR(sim.state().v[0], 0.1 / 2, 1e-12);
}

// Start + work = end, with the controller's work among the actuators'.
TEST(SimulatorSystems, EnergyAuditCountsControllers) {
  const auto model = std::make_shared<const Model>(compile(arm()));
  for (const char* method : {"lagged", "rk4"}) {
    Simulator sim(model, {.method = method, .time_step = 1e-4});
    sim.add(pid(*model));
    ASSERT_TRUE(sim.advance_to(0.2).ok());
    const EnergyAudit energy = sim.report().energy;
    EXPECT_GT(std::abs(energy.actuators), 0.1);
    EXPECT_NEAR(energy.start + energy.actuators, energy.end, 2e-3 * std::abs(energy.actuators)) << method;
  }
}

// CENIC, figure 12: with error control the number of steps depends on the accuracy, not on the gains; explicitly it
// grows with them.
TEST(SimulatorSystems, StepsOfErrorControlDoNotShrinkWithGains) {
  const auto model = std::make_shared<const Model>(compile(arm()));
  const VectorXd target{{0.5, -0.4, 0.3, -1.2, 0.6, 0.8, -0.5}};
  const auto steps = [&](double gain, bool implicit) {
    Simulator sim(model, {.method = "cenic", .accuracy = 1e-2});
    sim.add(std::make_shared<InverseDynamicsControl>(
        *model, JointControllerOptions{.kp = one(gain), .kd = one(gain), .target = target, .implicit = implicit}));
    EXPECT_TRUE(sim.advance_to(5).ok()) << gain;
    // exp(-5) of 1.2 rad is left, within the accuracy. Measured: 57 steps, and 25003 explicit ones, which chatter.
    if (implicit) {
      EXPECT_LE((sim.state().q - target).cwiseAbs().maxCoeff(), 0.02) << gain;
    }
    return sim.report().steps;
  };
  const auto soft = steps(1e2, true);
  for (double gain : {1e4, 1e6, 1e8}) EXPECT_LE(steps(gain, true), 2 * soft) << gain;
  EXPECT_GT(steps(1e4, false), 20 * soft);
}

// States of systems are error-controlled like the rest: z' = -(z - cos t) from 0.
TEST(SimulatorSystems, ErrorControlSeesStates) {
  const auto model = std::make_shared<const Model>(compile(stage(1)));
  const auto error = [&](double accuracy) {
    Simulator sim(model, {.method = "cenic", .accuracy = accuracy, .max_step = 1});
    sim.add(std::make_shared<FunctionSystem>(SystemFunctions{
        .derivative = [](const SystemInput& in, Eigen::Ref<VectorXd> zdot) { zdot[0] = std::cos(in.time()) - in.z[0]; },
        .z0 = one(0),
        .jacobians =
            [](const SystemInput& in, SystemJacobians& x) {
              x.h_z(0, 0) = -1;
              x.h_t[0] = -std::sin(in.time());
            }}));
    EXPECT_TRUE(sim.advance_to(3).ok());
    return std::abs(sim.state().z[0] - 0.5 * (std::cos(3) + std::sin(3) - std::exp(-3)));
  };
  // Each step is as accurate as that; a few add up.
  EXPECT_LE(error(1e-2), 1e-2);
  EXPECT_LE(error(1e-4), 5e-4);
}

// A body that a system pushes does not fly on as if nothing did.
TEST(SimulatorSystems, PushedBodiesDoNotFlyFreely) {
  Scene scene;
  scene.bodies.push_back({.name = "pushed", .inertia = {2, Vector3d::Zero(), 0.1 * Matrix3d::Identity()}});
  scene.bodies.push_back({.name = "free", .inertia = {2, Vector3d::Zero(), 0.1 * Matrix3d::Identity()}});
  const auto model = std::make_shared<const Model>(compile(scene));
  Simulator sim(model, {.method = "cenic", .accuracy = 1e-3});
  sim.add(std::make_shared<FunctionSystem>(
      SystemFunctions{.output = [](const SystemInput&, VectorXd& tau) { tau[0] += 4; }}));
  ASSERT_TRUE(sim.advance_to(1).ok());
  EXPECT_NEAR(sim.state().v[0], 2, 1e-9);
  EXPECT_NEAR(sim.state().q[0], 1, 2e-3);
  EXPECT_NEAR(sim.state().q[7 + 2], -0.5 * 9.81, 1e-9);
}

// The one-call form takes systems too.
TEST(SimulatorSystems, SimulateRunsThem) {
  const auto model = std::make_shared<const Model>(compile(stage(1)));
  const auto pd =
      std::make_shared<JointPD>(*model, JointControllerOptions{.kp = one(1e3), .kd = one(1e2), .target = one(0.3)});
  const Trajectory run =
      simulate(model, {.simulator = {.method = "lagged", .time_step = 1e-2}, .until = 3, .systems = {pd}});
  EXPECT_NEAR(run.end.q[0], 0.3, 1e-6);
}

}  // namespace
}  // namespace stickslip
