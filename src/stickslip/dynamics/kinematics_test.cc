#include "stickslip/dynamics/kinematics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stickslip/dynamics/forest_state_testing.h"

namespace stickslip {
namespace {

using forest_testing::ForestState;

constexpr double kRoundOff = 1e-13;  // chains of up to ten products of matrices and lengths of order 1

Matrix3d turn(double angle, const Vector3d& axis) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

// s(t) of the forest's sines.
double prescribed(const Motion& motion, double t) {
  return motion.amplitude * std::sin(2 * std::numbers::pi * motion.frequency * t + motion.phase);
}

// X_FM of a joint as the scene defines it, without links.
Pose joint_motion(const Joint& joint, const JointInfo& info, const State& state) {
  using enum JointType;
  const auto q = [&](int i) { return state.q[info.q_start + i]; };
  const auto quaternion = [&](int i) { return Quaterniond(q(i), q(i + 1), q(i + 2), q(i + 3)).toRotationMatrix(); };
  const Vector3d axis = joint.axis.normalized();
  const double s = (joint.motion ? prescribed(*joint.motion, state.time) : q(0)) - joint.reference;
  switch (joint.type) {
    case kRevolute:
    case kContinuous:
      return {turn(s, axis), Vector3d::Zero()};
    case kPrismatic:
      return Pose::at(s * axis);
    case kScrew:
      return {turn(s, axis), joint.pitch * s * axis};
    case kBall:
      return {quaternion(0), Vector3d::Zero()};
    case kFree:
      return {quaternion(3), Vector3d(q(0), q(1), q(2))};
    default:
      return {};
  }
}

// X_WB straight from the scene, joint by joint; none for the joints whose axes in the plane are the model's choice.
Pose pose_from_scene(const ForestState& forest, const std::string& name) {
  if (name == kWorld) return {};
  const Body& body = forest_testing::find_body(forest.scene, name);
  if (body.fixed || body.mocap) return body.pose;
  if (body.motion) {
    const double s = prescribed(*body.motion, forest.state.time);
    const Vector3d axis = body.motion->axis.normalized();
    return body.pose * (body.motion->rotates ? Pose{turn(s, axis), Vector3d::Zero()} : Pose::at(s * axis));
  }
  Pose X_WB;
  bool first = true;
  for (const Joint& joint : forest.scene.joints) {
    if (joint.child != name) continue;
    if (first) X_WB = pose_from_scene(forest, joint.parent);
    first = false;
    JointInfo info;
    if (joint.type != JointType::kFixed) {
      info = forest.model.joints[static_cast<size_t>(forest.model.find_joint(joint.name))];
    }
    Pose X_FM = joint_motion(joint, info, forest.state);
    if (joint.type == JointType::kUniversal) {
      X_FM.rotation = turn(forest.state.q[info.q_start], joint.axis.normalized()) *
                      turn(forest.state.q[info.q_start + 1], joint.axis2.normalized());
    }
    X_WB = X_WB * joint.pose * X_FM * joint.child_pose.inverse();
  }
  if (first) {  // free without a joint
    const auto q =
        forest.state.q.segment<7>(forest.model.joints[static_cast<size_t>(forest.model.find_joint(name))].q_start);
    return Pose::from_quaternion(Quaterniond(q[3], q[4], q[5], q[6]), q.head<3>());
  }
  return X_WB;
}

// X_PB(q) = X_PF X_FM(q) X_BM^-1 for every joint of the forest, against the scene's own definition.
TEST(Kinematics, PosesFollowTheDefinitionOfEachJoint) {
  for (unsigned seed : {1u, 2u, 3u, 4u}) {
    ForestState forest(seed);
    for (Joint& joint : forest.scene.joints) {
      // A reference is for joints with one number.
      if (joint.type == JointType::kUniversal || joint.type == JointType::kPlanar) joint.reference = 0;
    }
    forest.model = compile(forest.scene);
    forest.refresh();
    for (int i = 0; i < forest.body_count(); ++i) {
      const std::string& name = forest.model.bodies[static_cast<size_t>(i)].name;
      if (name == "tool") continue;  // planar, see below
      const Pose X_WB = body_pose(forest.model, forest.kinematics, i);
      EXPECT_LE((X_WB.matrix() - pose_from_scene(forest, name).matrix()).norm(), kRoundOff) << name;
    }
  }
}

// A planar joint about z moves by (x, y) in the plane and turns about the moved z axis.
TEST(Kinematics, PlanarJointSlidesInItsPlaneAndTurnsAboutItsNormal) {
  Scene scene;
  forest_testing::Random random(5);
  forest_testing::add_body(scene, random, "puck");
  Joint& joint = forest_testing::add_joint(scene, random, JointType::kPlanar, kWorld, "puck");
  joint.axis = Vector3d::UnitZ();
  joint.reference = 0;
  const Model model = compile(scene);
  State state = initial_state(model);
  state.q << 0.3, -0.7, 1.1;
  Kinematics kinematics;
  compute_poses(model, state, kinematics);
  const Pose X_FM{turn(1.1, Vector3d::UnitZ()), Vector3d(0.3, -0.7, 0)};
  const Pose expected = joint.pose * X_FM * joint.child_pose.inverse();
  EXPECT_LE((body_pose(model, kinematics, 1).matrix() - expected.matrix()).norm(), kRoundOff);
}

// For any normal the motion stays in the plane, its two translations are orthonormal, and it turns about the normal.
TEST(Kinematics, PlanarJointKeepsItsPlaneForAnyNormal) {
  for (const Vector3d& normal : {Vector3d(1, 0, 0), Vector3d(0, -1, 0), Vector3d(0, 0, -1), Vector3d(1, -2, 0.5)}) {
    Scene scene;
    forest_testing::Random random(6);
    forest_testing::add_body(scene, random, "puck");
    Joint& joint = forest_testing::add_joint(scene, random, JointType::kPlanar, kWorld, "puck");
    joint.pose = joint.child_pose = Pose{};
    joint.axis = normal;
    joint.reference = 0;
    const Model model = compile(scene);
    State state = initial_state(model);
    Kinematics kinematics;
    const auto pose_at = [&](double x, double y, double angle) {
      state.q << x, y, angle;
      compute_poses(model, state, kinematics);
      return body_pose(model, kinematics, 1);
    };
    const Vector3d n = normal.normalized(), x = pose_at(1, 0, 0).position, y = pose_at(0, 1, 0).position;
    EXPECT_LE((x.cross(y) - n).norm(), kRoundOff);
    EXPECT_NEAR(x.dot(y), 0, kRoundOff);
    EXPECT_LE((pose_at(0.2, 0.4, 0.9).rotation - turn(0.9, n)).norm(), kRoundOff);
    EXPECT_LE((pose_at(0.2, 0.4, 0.9).position - (0.2 * x + 0.4 * y)).norm(), kRoundOff);
  }
}

// A mocap body stands where the state says; a quaternion that is not unit names the same rotation.
TEST(Kinematics, MocapBodyFollowsTheState) {
  ForestState forest(7);
  forest.state.mocap << 1, 2, 3, 0, 0, 0, 2;
  forest.refresh();
  const Pose X_WB = body_pose(forest.model, forest.kinematics, forest.model.find_body("target"));
  EXPECT_LE((X_WB.matrix() - Pose{turn(std::numbers::pi, Vector3d::UnitZ()), {1, 2, 3}}.matrix()).norm(), kRoundOff);
}

// Velocities are the rates of poses along v, with prescribed motion running: against central differences.
TEST(Kinematics, VelocitiesAreRatesOfPoses) {
  constexpr double kStep = 1e-5;
  for (unsigned seed : {8u, 9u}) {
    const ForestState forest(seed);
    const ForestState before = forest.moved(-kStep), after = forest.moved(kStep);
    for (int i = 0; i < forest.body_count(); ++i) {
      const LinkVelocity velocity = body_velocity(forest.model, forest.kinematics, i);
      const Pose X0 = body_pose(forest.model, before.kinematics, i), X1 = body_pose(forest.model, after.kinematics, i);
      const Matrix3d R = body_pose(forest.model, forest.kinematics, i).rotation;
      // Truncation kStep^2 times third derivatives of order 100, and round-off 1e-15/kStep.
      constexpr double kTolerance = 2e-8;
      EXPECT_LE(((X1.position - X0.position) / (2 * kStep) - velocity.v).norm(), kTolerance) << i;
      const Matrix3d R_rate = (X1.rotation - X0.rotation) / (2 * kStep);
      EXPECT_LE((R_rate - skew(velocity.w) * R).norm(), kTolerance) << i;
    }
  }
}

// A free body's v is [velocity of the origin in world axes; angular velocity in body axes].
TEST(Kinematics, FreeBodyVelocityLayout) {
  const ForestState forest(10);
  const int body = forest.model.find_body("free3");
  const JointInfo& joint = forest.model.joints[static_cast<size_t>(forest.model.find_joint("free3"))];
  const LinkVelocity velocity = body_velocity(forest.model, forest.kinematics, body);
  const Matrix3d R = body_pose(forest.model, forest.kinematics, body).rotation;
  EXPECT_EQ(velocity.v, Vector3d(forest.state.v.segment<3>(joint.v_start)));
  EXPECT_LE((R.transpose() * velocity.w - forest.state.v.segment<3>(joint.v_start + 3)).norm(), 2e-15);
}

}  // namespace
}  // namespace stickslip
