#include "stickslip/step/method.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "stickslip/model/forest_testing.h"
#include "stickslip/step/step_testing.h"

namespace stickslip {
namespace {

using forest_testing::add_body;
using forest_testing::add_joint;
using forest_testing::forest;
using forest_testing::Random;
using ::testing::HasSubstr;

// One step; the first status that is not ok.
Status try_step(const Model& model, const std::string& name, const State& state, double h, State& next) {
  const std::unique_ptr<Method> method = make_method(name, model);
  const std::unique_ptr<Method::Prepared> prepared = method->make_prepared();
  const Status status = method->prepare(state, h, *prepared);
  return status.ok() ? method->advance(*prepared, h, next) : status;
}

// Every name makes a method; an unknown one makes none.
TEST(Method, NamesMakeMethods) {
  const Model model = compile(forest(1));
  for (const std::string& name : method_names()) EXPECT_NE(make_method(name, model), nullptr) << name;
  EXPECT_EQ(make_method("runge", model), nullptr);
}

// A joint that moves no mass stops the step with a status that names body, cause and time; nothing throws.
TEST(Method, MasslessJointIsSingularMass) {
  Scene scene;
  Random random(2);
  add_body(scene, random, "arm");
  add_joint(scene, random, JointType::kRevolute, kWorld, "arm");
  add_body(scene, random, "ghost").inertia = {};
  add_joint(scene, random, JointType::kRevolute, "arm", "ghost");
  const Model model = compile(scene);
  State state = initial_state(model), next;
  state.time = 1.5;
  for (const std::string& name : method_names()) {
    const Status status = try_step(model, name, state, 1e-3, next);
    EXPECT_EQ(status.code, StatusCode::kSingularMass) << name;
    EXPECT_EQ(status.body, "ghost") << name;
    EXPECT_EQ(status.time, 1.5) << name;
    EXPECT_THAT(status.message, HasSubstr("ghost_joint")) << name;
  }
}

// A lone free body without mass is the same error, not a division by zero.
TEST(Method, MasslessFreeBodyIsSingularMass) {
  Scene scene;
  Random random(3);
  add_body(scene, random, "solid");
  add_body(scene, random, "ghost").inertia = {};
  const Model model = compile(scene);
  State next;
  for (const std::string& name : method_names()) {
    const Status status = try_step(model, name, initial_state(model), 1e-3, next);
    EXPECT_EQ(status.code, StatusCode::kSingularMass) << name;
    EXPECT_EQ(status.body, "ghost") << name;
  }
}

// A point mass can fall but has no angular acceleration: its mass matrix is singular, and the body is named.
TEST(Method, FreePointMassIsSingularMass) {
  Scene scene;
  scene.bodies.push_back({.name = "point", .inertia = {1, {0.1, 0, 0}, Matrix3d::Zero()}});
  const Model model = compile(scene);
  State next;
  for (const std::string& name : method_names()) {
    const Status status = try_step(model, name, initial_state(model), 1e-3, next);
    EXPECT_EQ(status.code, StatusCode::kSingularMass) << name;
    EXPECT_EQ(status.body, "point") << name;
  }
}

// A motion that overflows stops with not-finite, naming the body and the last good time.
TEST(Method, OverflowIsNotFinite) {
  Scene scene;
  Random random(4);
  add_body(scene, random, "calm");
  add_joint(scene, random, JointType::kPrismatic, kWorld, "calm");
  add_body(scene, random, "wild");
  add_joint(scene, random, JointType::kPrismatic, kWorld, "wild");
  const Model model = compile(scene);
  State state = initial_state(model), next;
  state.time = 2;
  state.v[1] = 1e308;
  for (const std::string& name : method_names()) {
    const Status status = try_step(model, name, state, 100, next);
    EXPECT_EQ(status.code, StatusCode::kNotFinite) << name;
    EXPECT_EQ(status.body, "wild") << name;
    EXPECT_EQ(status.time, 2) << name;
  }
}

// An infinite force is a motion that overflows, not a missing mass, in whichever stage it is met; so is a NaN in v.
TEST(Method, InfiniteForceAndNanAreNotFinite) {
  Scene scene;
  Random random(8);
  add_body(scene, random, "wild");
  add_joint(scene, random, JointType::kRevolute, kWorld, "wild");
  scene.actuators.push_back({.name = "motor", .joint = "wild_joint"});
  const Model model = compile(scene);
  State pushed = initial_state(model), next;
  pushed.time = 3;
  State broken = pushed;
  pushed.ctrl[0] = kInfinity;
  broken.v[0] = std::numeric_limits<double>::quiet_NaN();
  for (const std::string& name : method_names()) {
    for (const State& state : {pushed, broken}) {
      const Status status = try_step(model, name, state, 0.01, next);
      EXPECT_EQ(status.code, StatusCode::kNotFinite) << name;
      EXPECT_EQ(status.body, "wild") << name;
      EXPECT_EQ(status.time, 3) << name;
    }
  }
}

// One preparation serves any number of attempts, in any order, with the same bits as a fresh one.
TEST(Method, RejectedAttemptsLeaveNoTrace) {
  const Model model = compile(forest(5, {.forces = true}));
  const State start = initial_state(model);
  for (const std::string& name : method_names()) {
    const std::unique_ptr<Method> method = make_method(name, model);
    const std::unique_ptr<Method::Prepared> prepared = method->make_prepared(), other = method->make_prepared();
    State fresh, first, again;
    ASSERT_TRUE(try_step(model, name, start, 1e-3, fresh).ok());
    ASSERT_TRUE(method->prepare(start, 0.01, *prepared).ok());
    ASSERT_TRUE(method->advance(*prepared, 0.01, first).ok());
    ASSERT_TRUE(method->prepare(first, 0.01, *other).ok());  // another state in between
    ASSERT_TRUE(method->advance(*other, 0.01, first).ok());
    ASSERT_TRUE(method->advance(*prepared, 1e-3, again).ok());
    EXPECT_EQ(hash(again), hash(fresh)) << name;
  }
}

// The next state may be any state's memory, and a step moves the clock by h and nothing else but q and v.
TEST(Method, StepKeepsControlsAndMocap) {
  const Model model = compile(forest(6, {.forces = true}));
  State start = initial_state(model), next;
  start.z = VectorXd::Constant(2, 0.5);
  for (const std::string& name : method_names()) {
    ASSERT_TRUE(try_step(model, name, start, 0.125, next).ok());
    EXPECT_EQ(next.time, 0.125);
    EXPECT_EQ(next.ctrl, start.ctrl);
    EXPECT_EQ(next.mocap, start.mocap);
    EXPECT_EQ(next.z, start.z);
  }
}

// Quaternions stay unit over many steps.
TEST(Method, QuaternionsStayUnit) {
  const Model model = compile(forest(7));
  for (const std::string& name : method_names()) {
    const State end = step_testing::run(model, name, initial_state(model), 1e-3, 300);
    for (const Link& link : model.links) {
      if (link.kind != LinkKind::kFree && link.kind != LinkKind::kBall) continue;
      const double norm = end.q.segment<4>(link.q_start + position_count(link.kind) - 4).norm();
      EXPECT_NEAR(norm, 1, 4e-16) << name;  // made unit each step: one rounding a component
    }
  }
}

// A chain of 3000 links steps, and keeps its energy: the cost of a step is linear, so this ends in good time.
TEST(Method, ChainOfThreeThousandLinksSteps) {
  constexpr int kLinks = 3000;
  Scene scene;
  scene.gravity = {0, 0, -9.81};
  for (int i = 1; i <= kLinks; ++i) {
    const std::string name = "link" + std::to_string(i);
    scene.bodies.push_back({.name = name, .inertia = {1, {0.05, 0, 0}, 1e-3 * Matrix3d::Identity()}});
    Joint joint{.name = "joint" + std::to_string(i), .child = name, .axis = Vector3d::UnitY()};
    if (i > 1) {
      joint.parent = "link" + std::to_string(i - 1);
      joint.pose.position.x() = 0.1;
    }
    scene.joints.push_back(joint);
  }
  const Model model = compile(scene);
  const State start = initial_state(model);
  const State end = step_testing::run(model, "rk4", start, 1e-3, 20);
  ASSERT_TRUE(end.q.allFinite() && end.v.allFinite());
  EXPECT_GT(end.v.norm(), 0);
  const Kinematics kinematics = step_testing::kinematics_of(model, end);
  // What is lost in height is gained in speed; rk4 keeps it to a millionth at this step.
  const double gained = kinetic_energy(model, end, kinematics);
  EXPECT_NEAR(step_testing::total_energy(model, end), step_testing::total_energy(model, start), 1e-6 * gained);
}

}  // namespace
}  // namespace stickslip
