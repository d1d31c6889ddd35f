#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "stickslip/model/forest_testing.h"
#include "stickslip/model/model.h"

namespace stickslip {
namespace {

using forest_testing::add_body;
using forest_testing::add_joint;
using forest_testing::Random;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

ModelError error_of(const Scene& scene) {
  try {
    compile(scene);
  } catch (const ModelError& error) {
    EXPECT_FALSE(error.fix().empty()) << error.what();
    return error;
  }
  ADD_FAILURE() << "compiled without an error";
  return ModelError("", {}, "");
}

// Bodies a, b, c without joints.
struct Abc {
  Random random{1};
  Scene scene;

  Abc() {
    for (const char* name : {"a", "b", "c"}) add_body(scene, random, name);
  }
  Joint& join(const std::string& parent, const std::string& child, JointType type = JointType::kRevolute) {
    Joint& joint = add_joint(scene, random, type, parent, child, "_to_" + parent);
    joint.where = {"scene.yaml", 10 + static_cast<int>(scene.joints.size()), 3};
    return joint;
  }
};

// A cycle of joints that no path connects to the world is refused, naming a body and a joint's place in the cycle.
TEST(CompileErrors, JointCycle) {
  Abc world;
  world.join("c", "a");
  world.join("a", "b");
  world.join("b", "c");
  const ModelError error = error_of(world.scene);
  EXPECT_EQ(error.code(), "joint-cycle");
  EXPECT_GE(error.where().line, 11);
  EXPECT_THAT(error.fix(), HasSubstr("constraint"));
}

// The body named is one of the cycle: neither a body welded to the world nor one that merely hangs on the cycle.
TEST(CompileErrors, JointCycleNamesABodyOfTheCycle) {
  Abc world;
  world.join(kWorld, "a", JointType::kFixed);
  add_body(world.scene, world.random, "d");
  world.join("c", "b");  // hangs on the cycle of c and d
  world.join("d", "c");
  world.join("c", "d");
  const ModelError error = error_of(world.scene);
  EXPECT_EQ(error.code(), "joint-cycle");
  EXPECT_THAT(error.text(), AnyOf("c", "d"));
}

// A body whose joint starts at itself is the shortest cycle.
TEST(CompileErrors, JointToItself) {
  Abc world;
  world.join("b", "b");
  EXPECT_EQ(error_of(world.scene).code(), "joint-cycle");
}

// A second parent is refused with both names, and a constraint offered instead.
TEST(CompileErrors, TwoParents) {
  Abc world;
  world.join("a", "c");
  world.join("b", "c");
  const ModelError error = error_of(world.scene);
  EXPECT_EQ(error.code(), "two-parents");
  EXPECT_EQ(error.where().line, 12);
  EXPECT_THAT(error.message(), HasSubstr("'a'"));
  EXPECT_THAT(error.message(), HasSubstr("'b'"));
  EXPECT_THAT(error.fix(), HasSubstr("constraint"));
}

// Wrong names are refused wherever one may stand, with the offending text and the name that was probably meant.
TEST(CompileErrors, UnknownNamesSuggestTheClosest) {
  const auto expect = [](const Abc& world, const std::string& code, const std::string& text, const std::string& meant) {
    const ModelError error = error_of(world.scene);
    EXPECT_EQ(error.code(), code);
    EXPECT_EQ(error.text(), text);
    EXPECT_THAT(error.fix(), HasSubstr("'" + meant + "'"));
  };
  Abc parent, child, tendon, actuator, winch, weld, coupler, frame, exclusion;
  for (Abc* world : {&parent, &child, &tendon, &actuator, &winch, &weld, &coupler, &frame, &exclusion}) {
    add_body(world->scene, world->random, "gripper");
    world->join("a", "gripper").name = "wrist";
  }
  parent.join("griper", "b");
  expect(parent, "unknown-body", "griper", "gripper");
  child.join("a", "Gripper");
  expect(child, "unknown-body", "Gripper", "gripper");
  tendon.scene.tendons.push_back({.name = "t", .terms = {{"wrisst", 1}}});
  expect(tendon, "unknown-joint", "wrisst", "wrist");
  actuator.scene.actuators.push_back({.name = "m", .joint = "wrst"});
  expect(actuator, "unknown-joint", "wrst", "wrist");
  winch.scene.tendons.push_back({.name = "cable", .terms = {{"wrist", 1}}});
  winch.scene.actuators.push_back({.name = "m", .tendon = "cabel"});
  expect(winch, "unknown-tendon", "cabel", "cable");
  weld.scene.constraints.push_back({.kind = Constraint::Kind::kWeld, .body_b = "gripperr"});
  expect(weld, "unknown-body", "gripperr", "gripper");
  coupler.scene.constraints.push_back({.kind = Constraint::Kind::kCoupler, .joint_a = "wrist", .joint_b = "writs"});
  expect(coupler, "unknown-joint", "writs", "wrist");
  frame.scene.frames.push_back({.name = "tip", .body = "grippe"});
  expect(frame, "unknown-body", "grippe", "gripper");
  exclusion.scene.contact_exclusions.push_back({.body_a = "a", .body_b = "gripperx"});
  expect(exclusion, "unknown-body", "gripperx", "gripper");
}

// Two bodies or two joints of one name are refused at the place of the second; "world" is taken.
TEST(CompileErrors, DuplicateNames) {
  Abc bodies;
  add_body(bodies.scene, bodies.random, "a").where = {"scene.yaml", 9, 1};
  EXPECT_EQ(error_of(bodies.scene).code(), "duplicate-name");
  EXPECT_EQ(error_of(bodies.scene).where().line, 9);
  EXPECT_EQ(error_of(bodies.scene).text(), "a");
  Abc joints;
  joints.join("a", "b").name = "hinge";
  joints.join("a", "c").name = "hinge";
  EXPECT_EQ(error_of(joints.scene).code(), "duplicate-name");
  EXPECT_EQ(error_of(joints.scene).text(), "hinge");
  Abc world;
  add_body(world.scene, world.random, kWorld);
  EXPECT_EQ(error_of(world.scene).code(), "duplicate-name");
}

// Two tendons or actuators of one name cannot both be found by it.
TEST(CompileErrors, DuplicateTendonsAndActuators) {
  Abc tendons;
  tendons.join("a", "b").name = "hinge";
  tendons.scene.tendons.push_back({.name = "t", .terms = {{"hinge", 1}}});
  tendons.scene.tendons.push_back({.name = "t", .terms = {{"hinge", 2}}});
  EXPECT_EQ(error_of(tendons.scene).code(), "duplicate-name");
  Abc actuators;
  actuators.join("a", "b").name = "hinge";
  actuators.scene.actuators.push_back({.name = "m", .joint = "hinge"});
  actuators.scene.actuators.push_back({.name = "m", .joint = "hinge"});
  EXPECT_EQ(error_of(actuators.scene).code(), "duplicate-name");
}

// An axis without a direction is refused for every joint that has one; so is the second axis of a universal joint.
TEST(CompileErrors, ZeroAxis) {
  using enum JointType;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Vector3d& axis : {Vector3d(0, 0, 0), Vector3d(nan, 0, 1)}) {
    for (JointType type : {kRevolute, kContinuous, kPrismatic, kScrew, kPlanar, kUniversal}) {
      Abc world;
      world.join("a", "b", type).axis = axis;
      EXPECT_EQ(error_of(world.scene).code(), "zero-axis") << joint_type_name(type);
    }
    Abc world;
    world.join("a", "b", kUniversal).axis2 = axis;
    EXPECT_EQ(error_of(world.scene).code(), "zero-axis");
    Abc moved;
    moved.scene.bodies[0].motion = Motion{.axis = axis, .velocity = 1};
    EXPECT_EQ(error_of(moved.scene).code(), "zero-axis");
  }
}

// The length of an axis does not matter, however large or small.
TEST(CompileErrors, AxisOfExtremeLengthIsStillADirection) {
  for (double length : {1e-200, 1e200}) {
    Abc world;
    world.join(kWorld, "b").axis = {0, length, 0};
    const Model model = compile(world.scene);
    const Link& link = model.links[static_cast<size_t>(model.bodies[2].link)];
    const Vector3d axis = world.scene.joints[0].pose.rotation * Vector3d::UnitY();
    EXPECT_LE((link.X_PF.rotation.col(2) - axis).norm(), 1e-15);
  }
}

// Four zeros are no rotation, neither for a ball nor for a free joint; NaN is none either.
TEST(CompileErrors, BadQuaternion) {
  Abc ball;
  ball.join("a", "b", JointType::kBall).position = {0, 0, 0, 0};
  EXPECT_EQ(error_of(ball.scene).code(), "bad-quaternion");
  EXPECT_EQ(error_of(ball.scene).where().line, 11);
  Abc free;
  free.join(kWorld, "b", JointType::kFree).position = {1, 2, 3, 0, 0, 0, 0};
  EXPECT_EQ(error_of(free.scene).code(), "bad-quaternion");
  Abc nan;
  nan.join("a", "b", JointType::kBall).position = {std::numeric_limits<double>::quiet_NaN(), 0, 0, 0};
  EXPECT_EQ(error_of(nan.scene).code(), "bad-quaternion");
}

// A start with the wrong number of numbers says how many there are and how many were expected.
TEST(CompileErrors, StartOfWrongLength) {
  Abc position;
  position.join("a", "b", JointType::kBall).position = {1, 0, 0};
  EXPECT_EQ(error_of(position.scene).code(), "bad-length");
  EXPECT_THAT(error_of(position.scene).message(), HasSubstr("3 numbers, expected 4"));
  Abc velocity;
  velocity.join("a", "b", JointType::kPlanar).velocity = {1};
  EXPECT_THAT(error_of(velocity.scene).message(), HasSubstr("1 numbers, expected 3"));
}

// Every part of a keyframe has its length checked: nothing that the file says is dropped in silence.
TEST(CompileErrors, KeyframePartsOfWrongLength) {
  const auto expect_bad_length = [](const Keyframe& keyframe) {
    Abc world;
    world.join("a", "b");
    world.scene.bodies[2].mocap = true;
    world.scene.actuators.push_back({.name = "m", .joint = "b_to_a"});
    world.scene.keyframes.push_back(keyframe);
    EXPECT_EQ(error_of(world.scene).code(), "bad-length");
  };
  expect_bad_length({.name = "k", .q = {1}});
  expect_bad_length({.name = "k", .v = {1}});
  expect_bad_length({.name = "k", .ctrl = {1, 2}});
  expect_bad_length({.name = "k", .mocap_position = {1, 2}});
  expect_bad_length({.name = "k", .mocap_quaternion = {1, 0, 0}});
}

// Mass is finite and not negative.
TEST(CompileErrors, BadMass) {
  for (double mass : {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    Abc world;
    world.scene.bodies[1].inertia.mass = mass;
    const ModelError error = error_of(world.scene);
    EXPECT_EQ(error.code(), "bad-mass");
    EXPECT_THAT(error.message(), HasSubstr("'b'"));
  }
}

// The world does not move; a fixed, mocap or prescribed body is not moved by a joint as well.
TEST(CompileErrors, WhatStandsStillHasNoJoint) {
  Abc world;
  world.join("a", kWorld);
  EXPECT_EQ(error_of(world.scene).code(), "world-has-joint");
  for (int kind = 0; kind < 3; ++kind) {
    Abc standing;
    standing.join("a", "b");
    Body& b = standing.scene.bodies[1];
    if (kind == 0) b.fixed = true;
    if (kind == 1) b.mocap = true;
    if (kind == 2) b.motion = Motion{};
    EXPECT_EQ(error_of(standing.scene).code(), "fixed-and-jointed");
  }
}

// Motions are for joints with one number, and tendons too.
TEST(CompileErrors, OneDofElementsRefuseOtherJoints) {
  Abc motion;
  motion.join("a", "b", JointType::kBall).motion = Motion{};
  EXPECT_EQ(error_of(motion.scene).code(), "bad-motion");
  Abc tendon;
  tendon.join("a", "b", JointType::kBall);
  tendon.scene.tendons.push_back({.name = "t", .terms = {{"b_to_a", 1}}});
  EXPECT_EQ(error_of(tendon.scene).code(), "bad-joint");
}

// A table that goes back in time, or whose columns differ in length, is no curve.
TEST(CompileErrors, MotionTableMustBeACurve) {
  for (const Motion& motion : {Motion{.kind = Motion::Kind::kTable, .times = {0, 2, 1}, .values = {0, 1, 2}},
                               Motion{.kind = Motion::Kind::kTable, .times = {0, 1, 1}, .values = {0, 1, 2}},
                               Motion{.kind = Motion::Kind::kTable, .times = {0, 1, 2}, .values = {0, 1}}}) {
    Abc body;
    body.scene.bodies[0].motion = motion;
    EXPECT_EQ(error_of(body.scene).code(), "bad-motion");
    Abc joint;
    joint.join("a", "b").motion = motion;
    EXPECT_EQ(error_of(joint.scene).code(), "bad-motion");
  }
}

}  // namespace
}  // namespace stickslip
