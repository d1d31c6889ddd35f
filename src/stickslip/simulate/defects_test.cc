// Warnings of a run about what it left unheld, or deep in each other.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "stickslip/scene/yaml.h"
#include "stickslip/simulate/simulator.h"

namespace stickslip {
namespace {

std::vector<Warning> warnings_of(const std::string& yaml, const SimulatorOptions& options, double until) {
  Simulator sim(compile(read_yaml_string(yaml, ".")), options);
  EXPECT_TRUE(sim.advance_to(until).ok());
  return sim.report().warnings;
}

bool contains(const Warning& warning, const std::string& part) {
  return warning.message.find(part) != std::string::npos;
}

std::string weight_on_rope(double stiffness) {
  return fmt::format(R"(
bodies:
  - {{name: weight, mass: 2, inertia: {{ixx: 0.01, iyy: 0.01, izz: 0.01}}, pose: {{position: [0, 0, -0.2]}}}}
constraints:
  - {{name: rope, type: distance, body_a: weight, length: 0.2, stiffness: {}, dissipation: 5}}
)",
                     stiffness);
}

// 2 kg stretch 20 N/m by a metre, and while they swing by two: eleven times the rope's length.
TEST(Defects, ARopeThatStretchesManyTimesIsTold) {
  const std::vector<Warning> found = warnings_of(weight_on_rope(20), {}, 2);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code, "stretched-constraint");
  EXPECT_EQ(found[0].where.line, 5);
  EXPECT_TRUE(contains(found[0], "constraint 'rope'")) << found[0].message;
  EXPECT_TRUE(contains(found[0], "its points were 1.4")) << found[0].message;
  EXPECT_TRUE(contains(found[0], "where it is 0.2 m long")) << found[0].message;
  EXPECT_TRUE(contains(found[0], "at t = 1.0")) << found[0].message;  // half a swing of 2 s
}

// Neither accuracy nor steps hold what its own stiffness does not.
TEST(Defects, ASoftConstraintIsToldToBeStiffer) {
  const std::vector<Warning> found = warnings_of(weight_on_rope(20), {}, 2);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(contains(found[0], "raise its stiffness")) << found[0].message;
  EXPECT_FALSE(contains(found[0], "accuracy")) << found[0].message;
}

// A spring that gives way as a spring does is none of it.
TEST(Defects, ARopeThatGivesWayALittleIsNot) { EXPECT_TRUE(warnings_of(weight_on_rope(1000), {}, 2).empty()); }

// A stiff rope that turns by radians a step flies off its circle.
TEST(Defects, AStiffRopeThatIsLostAtLongStepsIsTold) {
  const std::string yaml = R"(
gravity: [0, 0, 0]
bodies:
  - {name: stone, mass: 1, inertia: {ixx: 0.01, iyy: 0.02, izz: 0.03}, pose: {position: [1, 0, 0]}, velocity: {linear: [0, 40, 0]}}
constraints:
  - {name: sling, type: distance, body_a: stone, length: 1}
)";
  const std::vector<Warning> found = warnings_of(yaml, {.time_step = 0.05}, 1);
  ASSERT_GE(found.size(), 1u);
  EXPECT_EQ(found[0].code, "stretched-constraint");
  EXPECT_TRUE(warnings_of(yaml, {}, 1).empty());
}

// Pinned to the world a few centimetres from where it is; twice, at points that are not as far apart as the body's.
std::string pinned_box(bool twice) {
  return fmt::format(R"(
bodies:
  - {{name: box, density: 500, geometry: [{{box: {{size: [0.2, 0.2, 0.2]}}, collides: false}}]}}
constraints:
  - {{name: pin, type: ball, body_a: box, pose_a: {{position: [0.1, 0.1, 0.1]}}, pose_b: {{position: [0.13, 0.1, 0.1]}}}}
  - {{name: second, type: ball, body_a: box, pose_a: {{position: [-0.1, 0.1, 0.1]}}, pose_b: {{position: [-0.13, 0.1, 0.1]}}, active: {}}}
)",
                     twice);
}

TEST(Defects, AGapAtTheStartMayClose) { EXPECT_TRUE(warnings_of(pinned_box(false), {}, 1).empty()); }

TEST(Defects, AGapThatTheUserWritesMayClose) {
  Simulator sim(compile(read_yaml_string(pinned_box(false), ".")), {});
  sim.advance_to(1.0);
  sim.state().q[2] += 0.05;
  sim.advance_to(2.0);
  EXPECT_TRUE(sim.report().warnings.empty());
}

TEST(Defects, AGapThatCannotCloseIsTold) {
  const std::vector<Warning> found = warnings_of(pinned_box(true), {}, 0.5);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(contains(found[0], "constraint 'pin'")) << found[0].message;
  EXPECT_TRUE(contains(found[0], "0.03 m apart")) << found[0].message;
}

std::string ball_on_floor(double mass) {
  return fmt::format(R"(
materials: {{foam: {{stiffness: 1000, dissipation: 1}}}}
bodies:
  - {{name: ball, mass: {}, geometry: [{{sphere: {{radius: 0.05}}, material: foam}}], pose: {{position: [0, 0, 0.049]}}}}
  - {{name: mat, fixed: true, geometry: [{{half_space: {{}}}}]}}
)",
                     mass);
}

// 20 kg press a foam of 1000 N/m by 20 cm, four times the ball's radius.
TEST(Defects, BodiesDeepInEachOtherAreTold) {
  for (const SimulatorOptions& options : {SimulatorOptions{}, SimulatorOptions{.time_step = 1e-3}}) {
    const std::vector<Warning> found = warnings_of(ball_on_floor(20), options, 1);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].code, "deep-overlap");
    EXPECT_TRUE(contains(found[0], "bodies 'ball' and 'mat'")) << found[0].message;
    EXPECT_TRUE(contains(found[0], "beyond the 0.05 m to the middle")) << found[0].message;
  }
}

// 1 kg presses it by 1 cm, 2 cm while it swings: an ordinary soft contact.
TEST(Defects, SoftContactIsNot) { EXPECT_TRUE(warnings_of(ball_on_floor(1), {}, 2).empty()); }

// Two hinges, and more asked of them than they can do.
std::string coupled_hinges(const std::string& asked) {
  return R"(
gravity: [0, 0, 0]
bodies:
  - {name: one, mass: 1, inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}}
  - {name: two, mass: 1, inertia: {ixx: 0.01, iyy: 0.01, izz: 0.01}}
joints:
  - {name: first, type: revolute, child: one, axis: [1, 0, 0], damping: 0.1}
  - {name: second, type: revolute, child: two, axis: [1, 0, 0], damping: 0.1}
)" + asked;
}

TEST(Defects, ACouplerThatIsNotHeldIsTold) {
  const std::vector<Warning> found = warnings_of(coupled_hinges(R"(constraints:
  - {name: equal, type: coupler, joint_a: first, joint_b: second}
  - {name: apart, type: coupler, joint_a: first, joint_b: second, coefficients: [1, 1]}
)"),
                                                 {}, 4);
  // What is held wins against what starts open, whose gap closes no faster than it may.
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code, "stretched-constraint");
  EXPECT_EQ(found[0].where.line, 11);
  EXPECT_TRUE(contains(found[0], "constraint 'apart' was not held")) << found[0].message;
  EXPECT_TRUE(contains(found[0], " rad;")) << found[0].message;
}

TEST(Defects, ACouplerThatCanCloseIsNot) {
  EXPECT_TRUE(warnings_of(coupled_hinges("constraints: [{type: coupler, joint_a: first, joint_b: second, "
                                         "coefficients: [1, 1]}]"),
                          {}, 4)
                  .empty());
}

TEST(Defects, ATendonBeyondItsLimitsIsTold) {
  const std::vector<Warning> found = warnings_of(coupled_hinges(R"(tendons:
  - {name: short, joints: {first: 1}, limits: {lower: -2, upper: -1}}
  - {name: long, joints: {first: 1}, limits: {lower: 1, upper: 2}}
)"),
                                                 {}, 4);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].where.line, 10);
  EXPECT_TRUE(contains(found[0], "tendon 'short' was not held")) << found[0].message;
}

// Of thirty pairs the twenty deepest, wherever they stand in the file.
TEST(Defects, TheDeepestOverlapsAreTold) {
  std::string yaml =
      "materials: {foam: {stiffness: 1000, dissipation: 1}}\nbodies:\n  - {name: mat, fixed: true, geometry: "
      "[{half_space: {}}]}\n";
  for (int i = 0; i < 30; ++i) {
    yaml += fmt::format(
        "  - {{name: ball{}, mass: {}, geometry: [{{sphere: {{radius: 0.05}}, material: foam}}], pose: {{position: "
        "[{}, 0, "
        "0.049]}}}}\n",
        i, i < 10 ? 6 : 20, i);
  }
  const std::vector<Warning> found = warnings_of(yaml, {}, 1);
  ASSERT_EQ(found.size(), 20u);
  for (const Warning& warning : found)
    for (int i = 0; i < 10; ++i) EXPECT_FALSE(contains(warning, fmt::format("'ball{}'", i))) << warning.message;
}

TEST(Defects, CopiesRememberThem) {
  Simulator sim(compile(read_yaml_string(ball_on_floor(20), ".")));
  ASSERT_TRUE(sim.advance_to(1).ok());
  const Simulator copy(sim);
  ASSERT_EQ(copy.report().warnings.size(), 1u);
  EXPECT_EQ(copy.report().warnings[0].message, sim.report().warnings[0].message);
}

}  // namespace
}  // namespace stickslip
