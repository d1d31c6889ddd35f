// What a run says that keeps its steps short.
#include <gtest/gtest.h>

#include "stickslip/scene/yaml.h"
#include "stickslip/simulate/simulator.h"
#include "stickslip/systems/function_system.h"

namespace stickslip {
namespace {

std::shared_ptr<const Model> model_of(const std::string& yaml) {
  return std::make_shared<const Model>(compile(read_yaml_string(yaml, ".")));
}

void take_steps(Simulator& sim, int count) {
  for (int i = 0; i < count; ++i) ASSERT_TRUE(sim.step().ok());
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// 1 kg on 1e12 N/m swings at 1e6 rad/s; the pendulum beside it would do with steps ten thousand times as long.
constexpr const char* kStiff = R"(
gravity: [0, 0, 0]
bodies:
  - {name: bob, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}
  - {name: lazy, mass: 1, center: [0, 0, -1], inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}}
joints:
  - {name: swing, type: revolute, child: lazy, axis: [0, 1, 0], velocity: 1}
  - {name: spring, type: prismatic, child: bob, axis: [1, 0, 0], stiffness: 1.0e+12, position: 0.05}
)";

TEST(HoldTally, NamesTheJointThatSwingsTooFastAndTheStep) {
  Simulator sim(model_of(kStiff));
  take_steps(sim, 300);
  const std::string held = sim.held_by();
  EXPECT_TRUE(contains(held, "joint 'spring' of body 'bob'")) << held;
  EXPECT_TRUE(contains(held, "held to steps of " + step_size_words(sim.last_step()))) << held;
  EXPECT_EQ(sim.report().held_by, held);
  EXPECT_TRUE(contains(sim.report().full(), held));
}

TEST(HoldTally, NamesTheConstraintsOfABodyThatTheyHold) {
  Simulator sim(model_of(R"(
bodies:
  - {name: brick, density: 500, geometry: [{box: {size: [0.06, 0.04, 0.02]}}], velocity: {linear: [3, -2, -2], angular: [-20, -50, 20]}}
constraints:
  - {name: leash, type: distance, body_a: brick, pose_a: {position: [0.03, 0.02, 0.01]}, pose_b: {position: [0.53, 0.02, 0.01]}, length: 0.5}
)"),
                {.accuracy = 1e-5});
  take_steps(sim, 300);
  const std::string held = sim.held_by();
  EXPECT_TRUE(contains(held, "body 'brick', on which constraint 'leash' acts")) << held;
}

TEST(HoldTally, SaysNothingOfWhatRestsOrHasFixedSteps) {
  Simulator resting(
      model_of("bodies: [{name: a, mass: 1, center: [0, 0, -1]}]\njoints: [{name: j, type: revolute, child: a, axis: "
               "[0, 1, 0]}]"));
  take_steps(resting, 100);
  EXPECT_EQ(resting.held_by(), "");
  Simulator fixed(model_of(kStiff), {.time_step = 1e-3});
  take_steps(fixed, 100);
  EXPECT_EQ(fixed.held_by(), "");
}

TEST(HoldTally, AnInterruptedRunSaysWhatHeldIt) {
  Simulator sim(model_of(kStiff));
  int left = 300;
  const Status status = sim.advance_to(1, [&] { return --left > 0; });
  EXPECT_EQ(status.code, StatusCode::kInterrupted);
  EXPECT_TRUE(contains(status.message, "stopped on request; held to steps of ")) << status.message;
  EXPECT_TRUE(contains(status.message, "'spring'")) << status.message;
}

TEST(HoldTally, NamesAnExternalSystemThatJumps) {
  Simulator jumping(model_of("gravity: [0, 0, 0]\nbodies: [{name: a, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}]"));
  jumping.add(std::make_shared<FunctionSystem>(
      SystemFunctions{.name = "relay", .output = [](const SystemInput& in, VectorXd& tau) {
                        tau[0] += std::fmod(in.time(), 2e-3) < 1e-3 ? 1e4 : -1e4;
                      }}));
  take_steps(jumping, 600);
  EXPECT_TRUE(contains(jumping.held_by(), "external system 'relay', which jumps")) << jumping.held_by();
}

}  // namespace
}  // namespace stickslip
