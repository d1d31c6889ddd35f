#include <gtest/gtest.h>

#include <algorithm>

#include "stickslip/scene/yaml.h"
#include "stickslip/simulate/simulator.h"

namespace stickslip {
namespace {

// Ten links of 30 cm that turn against each other by 20 rad/s: at 20 ms, a third of a radian a step, their fictitious
// forces feed them.
Model turning_chain() {
  Scene scene;
  for (int i = 0; i < 10; ++i) {
    Body body;
    body.name = "link" + std::to_string(i);
    body.inertia = {1, Vector3d::Zero(), 0.01 * Matrix3d::Identity()};
    scene.bodies.push_back(body);
    Joint joint{.name = "joint" + std::to_string(i), .child = body.name, .axis = Vector3d::UnitY()};
    if (i > 0) joint.parent = "link" + std::to_string(i - 1);
    joint.pose.position = {i > 0 ? 0.15 : 0, 0, 0};
    joint.child_pose.position = {-0.15, 0, 0};
    joint.velocity = {i % 2 == 0 ? 20.0 : -20.0};
    scene.joints.push_back(joint);
  }
  return compile(scene);
}

constexpr double kTooLong = 20e-3;

bool warns(const Simulator& sim) {
  const std::vector<Warning> warnings = sim.report().warnings;
  return std::any_of(warnings.begin(), warnings.end(), [](const Warning& x) { return x.code == "gained-energy"; });
}

// At fixed steps a run that doubles its energy from nothing stops, at a state that has not, and says who.
TEST(EnergyWatch, StopsWhatDoublesItsEnergyAtFixedSteps) {
  for (const char* method : {"anchored", "lagged", "similar", "sap", "cenic"}) {
    Simulator sim(turning_chain(), {.method = method, .time_step = kTooLong});
    const double start = sim.kinetic_energy();
    const Status status = sim.advance_to(5);
    EXPECT_EQ(status.code, StatusCode::kGainedEnergy) << method << ": " << status.message;
    EXPECT_EQ(status.body, "link0");
    EXPECT_NE(status.message.find("came from nothing"), std::string::npos) << status.message;
    EXPECT_TRUE(warns(sim));
    EXPECT_GT(sim.report().energy.gained, start);
    EXPECT_LE(sim.kinetic_energy() + sim.potential_energy(), 2.1 * start);  // what was in play is a little more
  }
}

// What contact and constraints do is no work from outside: the audit books it, and the gain beside it.
TEST(EnergyWatch, ShowsTheGainInTheAudit) {
  Simulator sim(turning_chain(), {.method = "anchored", .time_step = 8e-3});
  const auto total = [&] { return sim.kinetic_energy() + sim.potential_energy(); };
  double lowest = total(), most = 0;
  while (!warns(sim)) {
    lowest = std::min(lowest, total());
    most = std::max(most, total() - lowest);  // energies are known at the starts of steps
    ASSERT_TRUE(sim.step().ok());
  }
  EXPECT_NEAR(sim.report().energy.gained, most, 1e-9 * lowest);  // round-off
  EXPECT_GT(most, 0.01 * lowest);
}

// The memory is part of the state: a run that was saved and restored stops where the first one does, in the same words.
TEST(EnergyWatch, ARestoredRunStopsWhereTheFirstDoes) {
  const auto model = std::make_shared<const Model>(turning_chain());
  const SimulatorOptions options{.method = "anchored", .time_step = 8e-3};
  Simulator first(model, options);
  const Status status = first.advance_to(20);
  ASSERT_EQ(status.code, StatusCode::kGainedEnergy);
  ASSERT_GT(first.report().steps, 4);
  Simulator begun(model, options), restored(model, options);
  while (begun.report().steps < first.report().steps - 2) ASSERT_TRUE(begun.step().ok());
  restored.set_state(begun.state());
  const Status again = restored.advance_to(20);
  EXPECT_EQ(again.code, status.code);
  EXPECT_EQ(again.time, status.time);
  EXPECT_EQ(again.message, status.message);
  EXPECT_EQ(hash(restored.state()), hash(first.state()));
}

// What users write between steps is theirs.
TEST(EnergyWatch, WritesAreNoGain) {
  Simulator sim(compile(read_yaml_string(R"(
bodies:
  - {name: ball, mass: 1, geometry: [{sphere: {radius: 0.1}}], pose: {position: [0, 0, 0.1]}}
  - {name: floor, fixed: true, geometry: [{half_space: {}}]}
)",
                                         ".")),
                {.time_step = 1e-3});
  for (int i = 1; i < 20; ++i) {
    ASSERT_TRUE(sim.advance_to(0.01 * i).ok());
    sim.state().v[0] += 10;
    if (i % 2 == 0) sim.state().q[2] += 1;
  }
  State thrown = sim.state();
  thrown.v[2] = 50;
  sim.set_state(thrown);
  ASSERT_TRUE(sim.advance_to(0.3).ok());
  EXPECT_FALSE(warns(sim));
}

void expect_no_gain(const std::string& scene, double until) {
  for (const SimulatorOptions& options : {SimulatorOptions{.time_step = 2e-3}, SimulatorOptions{.accuracy = 1e-3}}) {
    Simulator sim(compile(read_yaml_string(scene, ".")), options);
    const Status status = sim.advance_to(until);
    EXPECT_TRUE(status.ok()) << status.message;
    EXPECT_FALSE(warns(sim)) << sim.report().warnings.back().message;
  }
}

// A box that starts 5 cm deep in the floor flies: it had that energy.
TEST(EnergyWatch, DeepOverlapAtTheStartIsEnergyThatWasThere) {
  expect_no_gain(R"(
bodies:
  - {name: box, mass: 1, geometry: [{box: {size: [0.2, 0.2, 0.2]}}], pose: {position: [0, 0, 0.05]}}
  - {name: floor, fixed: true, geometry: [{half_space: {}}]}
)",
                 2);
}

TEST(EnergyWatch, BeltsAndMotionsFeed) {
  expect_no_gain(R"(
bodies:
  - {name: box, mass: 1, geometry: [{box: {size: [0.2, 0.2, 0.2]}}], pose: {position: [0, 0, 0.1]}}
  - {name: belt, fixed: true, geometry: [{half_space: {}, surface_velocity: [3, 0, 0]}]}
)",
                 2);
  expect_no_gain(R"(
bodies:
  - {name: box, mass: 1, geometry: [{box: {size: [0.1, 0.1, 0.1]}}], pose: {position: [0, 0, 0.15]}}
  - {name: table, motion: {axis: [0, 0, 1], amplitude: 0.05, frequency: 3}, geometry: [{box: {size: [1, 1, 0.2]}}]}
)",
                 2);
}

// An arm that a servo throws, against its limit, back and forth.
TEST(EnergyWatch, ServosFeed) {
  expect_no_gain(R"(
bodies:
  - {name: arm, mass: 1, center: [0.3, 0, 0], inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}}
joints: [{name: hinge, type: revolute, child: arm, axis: [0, 1, 0], position: 1, limits: {lower: -1, upper: 1.2}}]
actuators: [{name: servo, joint: hinge, type: position, kp: 500, kd: 5, control: -2}]
)",
                 2);
}

// A limit that is violated by a radian at the start lets go at its own speed.
TEST(EnergyWatch, LimitsViolatedAtTheStartReturn) {
  expect_no_gain(R"(
bodies: [{name: arm, mass: 1, center: [0, 0, -0.3], inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}}]
joints: [{name: hinge, type: revolute, child: arm, axis: [0, 1, 0], position: 1, limits: {lower: -0.2, upper: 0}}]
)",
                 2);
}

// Far away, light and without gravity.
TEST(EnergyWatch, RoundOffIsNoGain) {
  for (const char* gravity : {"[0, 0, 0]", "[0, 0, -9.81]"})
    expect_no_gain(std::string("gravity: ") + gravity + R"(
bodies:
  - {name: mote, mass: 1.0e-3, geometry: [{sphere: {radius: 0.001}}], pose: {position: [0, 0, 1000000.001]}}
  - {name: grain, mass: 1.0e-3, geometry: [{box: {size: [0.001, 0.001, 0.001]}}], pose: {position: [1, 0, 1000000.0005]}}
  - {name: table, fixed: true, geometry: [{box: {size: [10, 10, 1]}}], pose: {position: [0, 0, 999999.5]}}
)",
                   1);
}

}  // namespace
}  // namespace stickslip
