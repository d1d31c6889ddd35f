#include "stickslip/scene/mjcf_testing.h"

namespace stickslip {
namespace {

using namespace mjcf_testing;
using ::testing::ElementsAre;

TEST(Mjcf, HingeTurnsAboutItsAnchor) {
  const Scene scene = world(R"(<body name="b" pos="1 0 0"><joint name="j" pos="0 0 .5" axis="0 2 0"/>
      <geom size=".1"/></body>)");
  const Joint& joint = scene.joints.at(0);
  EXPECT_EQ(joint.type, JointType::kRevolute);
  EXPECT_EQ(joint.parent, "world");
  EXPECT_EQ(joint.child, "b");
  EXPECT_EQ(joint.pose.position, Vector3d(1, 0, 0.5));
  EXPECT_EQ(joint.child_pose.position, Vector3d(0, 0, 0.5));
  EXPECT_EQ(joint.axis, Vector3d(0, 1, 0));
  EXPECT_FALSE(joint.limits.bounded());
}

TEST(Mjcf, LaterJointsStandInTheBodysFrame) {
  const Scene scene =
      world(R"(<body pos="1 0 0"><joint type="slide" axis="1 0 0"/><joint pos="0 0 .5"/><geom size=".1"/></body>)");
  ASSERT_EQ(scene.joints.size(), 2u);
  EXPECT_EQ(scene.joints[0].type, JointType::kPrismatic);
  EXPECT_EQ(scene.joints[0].pose.position, Vector3d(1, 0, 0));
  EXPECT_EQ(scene.joints[1].pose.position, Vector3d(0, 0, 0.5));
  EXPECT_EQ(scene.joints[1].child_pose.position, Vector3d(0, 0, 0.5));
}

// A leg, bent and turned, as MuJoCo up to 2.3.1 could read it, and as all versions do: the same mechanism.
TEST(Mjcf, GlobalCoordinatesAreTheWorlds) {
  const Scene local = world(R"(<body name="hip" pos="1 2 3" euler="0 0 90"><joint name="h" pos="0 0 .1" axis="1 0 0"/>
      <geom type="capsule" fromto="0 0 0 .5 0 0" size=".1"/><site name="s" pos=".5 0 0"/>
      <body name="foot" pos=".5 0 0" euler="0 0 -90"><joint name="f" axis="0 1 0"/>
        <inertial pos="0 .2 0" mass="2" diaginertia="1 2 3"/></body></body>)");
  const Scene global = world(R"(<body name="hip" pos="1 2 3" euler="0 0 90"><joint name="h" pos="1 2 3.1" axis="0 1 0"/>
      <geom type="capsule" fromto="1 2 3 1 2.5 3" size=".1"/><site name="s" pos="1 2.5 3"/>
      <body name="foot" pos="1 2.5 3"><joint name="f" pos="1 2.5 3" axis="0 1 0"/>
        <inertial pos="1 2.7 3" mass="2" diaginertia="1 2 3"/></body></body>)",
                             "<compiler coordinate='global'/>");
  EXPECT_TRUE(has_warning(global, "global-coordinates"));
  for (const size_t i : {0, 1}) {
    EXPECT_TRUE(global.joints[i].pose.position.isApprox(local.joints[i].pose.position, kRoundOff));
    EXPECT_TRUE(global.joints[i].pose.rotation.isApprox(local.joints[i].pose.rotation, kRoundOff));
    EXPECT_TRUE(global.joints[i].axis.isApprox(local.joints[i].axis, kRoundOff));
    const MassProperties &a = global.bodies[i].inertia, &b = local.bodies[i].inertia;
    EXPECT_TRUE(a.center.isApprox(b.center, kRoundOff));
    EXPECT_TRUE(a.inertia.isApprox(b.inertia, kRoundOff));
  }
  EXPECT_TRUE(global.frames[0].pose.position.isApprox(local.frames[0].pose.position, kRoundOff));
}

TEST(Mjcf, BodyWithoutJointIsFixedToItsParent) {
  const Scene scene = world(R"(<body name="a"><freejoint/><geom size=".1"/><body name="tip" pos="0 0 1"/></body>)");
  EXPECT_EQ(scene.joints.at(0).type, JointType::kFree);
  EXPECT_EQ(scene.joints.at(1).type, JointType::kFixed);
  EXPECT_EQ(scene.joints.at(1).name, "tip");
  EXPECT_EQ(scene.joints.at(1).parent, "a");
  EXPECT_EQ(scene.joints.at(1).pose.position, Vector3d(0, 0, 1));
}

TEST(Mjcf, FixedJointYieldsItsNameToARealJoint) {
  const Scene scene =
      world(R"(<body name="hand"><geom size=".1"/><body><joint name="hand"/><geom size=".1"/></body></body>)");
  EXPECT_EQ(scene.joints.at(0).name, "hand_fixed");
  EXPECT_EQ(scene.joints.at(1).name, "hand");
}

TEST(Mjcf, FreeBodyKeepsItsWorldPoseAndMocapHasNoJoint) {
  const Scene scene =
      world(R"(<body pos="1 2 3"><freejoint/><geom size=".1"/></body><body name="m" mocap="true" pos="4 5 6"/>)");
  EXPECT_EQ(scene.bodies.at(0).pose.position, Vector3d(1, 2, 3));
  EXPECT_TRUE(scene.bodies.at(1).mocap);
  EXPECT_EQ(scene.bodies.at(1).pose.position, Vector3d(4, 5, 6));
  EXPECT_EQ(scene.joints.size(), 1u);
}

// q follows the bodies, even where a joint is written after a child body.
TEST(Mjcf, JointsStandInTheOrderOfBodies) {
  const Scene scene = world(R"(<body><body><joint name="inner"/><geom size=".1"/></body><joint name="outer"/>
      <geom size=".1"/></body>)");
  EXPECT_EQ(scene.joints.at(0).name, "outer");
  EXPECT_EQ(scene.joints.at(1).name, "inner");
}

TEST(Mjcf, GeneratedNamesAvoidGivenOnes) {
  const Scene scene = world(
      R"(<body><joint/><geom size=".1"/><body name="body_1"><joint name="joint_0"/><geom size=".1"/></body></body>)");
  EXPECT_EQ(scene.bodies.at(0).name, "body_1_");
  EXPECT_EQ(scene.joints.at(0).name, "joint_0_");
}

TEST(Mjcf, AnglesAreDegreesUnlessTheCompilerSaysRadian) {
  const std::string body = R"(<body><joint range="-90 45" ref="10" springref="20"/><geom size=".1"/></body>)";
  const Joint degrees = world(body).joints.at(0);
  EXPECT_NEAR(degrees.limits.lower, -90 * kDegree, kRoundOff);
  EXPECT_NEAR(degrees.reference, 10 * kDegree, kRoundOff);
  EXPECT_NEAR(degrees.spring_reference, 20 * kDegree, kRoundOff);
  const Joint radians = world(body, R"(<compiler angle="radian"/>)").joints.at(0);
  EXPECT_EQ(radians.limits.upper, 45);
  const Joint slide = world(R"(<body><joint type="slide" range="-1 2"/><geom size=".1"/></body>)").joints.at(0);
  EXPECT_EQ(slide.limits.upper, 2);
}

TEST(Mjcf, LimitsFollowAutolimits) {
  const std::string off = R"(<compiler autolimits="false"/>)";
  EXPECT_FALSE(world(R"(<body><joint range="0 1" limited="false"/><geom size=".1"/>
      </body>)")
                   .joints[0]
                   .limits.bounded());
  EXPECT_TRUE(world(R"(<body><joint range="0 1" limited="true"/><geom size=".1"/>
      </body>)",
                    off)
                  .joints[0]
                  .limits.bounded());
  EXPECT_EQ(error_of("<mujoco>" + off + R"(<worldbody><body><joint range="0 1"/></body></worldbody>
      </mujoco>)")
                .code(),
            "ambiguous-limits");
  EXPECT_EQ(error_of(R"(<mujoco><worldbody><body><joint limited="true" range="1 0"/></body></worldbody>
      </mujoco>)")
                .code(),
            "bad-range");
}

// The inertia a one-body pendulum shows at its hinge: k = I / (T z)^2, d = 2 I / T.
TEST(Mjcf, SpringDamperUsesTheInertiaAtTheJoint) {
  const Scene scene = world(
      R"(<body><joint axis="0 1 0" springdamper=".5 .8" armature="1"/><geom size=".1" pos="2 0 0" mass="3"/>
      </body>)");
  const double inertia = 0.4 * 3 * 0.01 + 3 * 4 + 1;
  EXPECT_NEAR(scene.joints[0].stiffness, inertia / (0.16), 1e-10);
  EXPECT_NEAR(scene.joints[0].damping, 2 * inertia / 0.5, 1e-10);
}

const char* const kClasses = R"(<default><geom size=".1" friction=".5 .6 .7"/><default class="big"><geom size=".3"/>
  <default class="slippery"><geom friction=".05"/></default></default></default>)";

TEST(Mjcf, ChildclassAppliesToGrandchildren) {
  const Scene scene = world(
      R"(<body childclass="big"><geom/><body><geom/><body childclass="slippery"><geom/><geom class="main"/></body>
      </body></body>)",
      kClasses);
  EXPECT_EQ(std::get<Sphere>(scene.bodies.at(0).geometry[0].shape).radius, 0.3);
  EXPECT_EQ(std::get<Sphere>(scene.bodies.at(1).geometry[0].shape).radius, 0.3);
  EXPECT_EQ(std::get<Sphere>(scene.bodies.at(2).geometry[0].shape).radius, 0.3);
  EXPECT_EQ(std::get<Sphere>(scene.bodies.at(2).geometry[1].shape).radius, 0.1);
}

// friction=".05" replaces only the first of the default's three numbers.
TEST(Mjcf, ShortListsKeepTheRestOfTheDefault) {
  const Scene scene = world(R"(<geom class="slippery"/>)", kClasses);
  EXPECT_THAT(scene.materials.at(0).mjcf->friction, ElementsAre(0.05, 0.6, 0.7));
  EXPECT_EQ(scene.materials.at(0).dynamic_friction, 0.05);
}

TEST(Mjcf, UnknownClassSuggestsTheNearest) {
  const ModelError error = error_of(std::string("<mujoco>") + kClasses + R"(<worldbody><geom class="bigg"/>
      </worldbody></mujoco>)");
  EXPECT_EQ(error.code(), "unknown-class");
  EXPECT_NE(error.fix().find("'big'"), std::string::npos);
}

TEST(Mjcf, FramesMoveBodiesGeomsSitesAndJoints) {
  const Scene scene = world(R"(<frame pos="1 0 0" euler="0 0 90"><geom size=".1" pos="1 0 0"/>
      <site name="s" pos="1 0 0"/>
      <body pos="1 0 0"><frame euler="0 90 0" pos="0 0 2"><joint axis="0 0 1" pos="1 0 0"/><geom size=".1"/>
      </frame></body></frame>)");
  EXPECT_LT((scene.world_geometry.at(0).pose.position - Vector3d(1, 1, 0)).norm(), kRoundOff);
  EXPECT_LT((scene.frames.at(0).pose.position - Vector3d(1, 1, 0)).norm(), kRoundOff);
  EXPECT_LT((scene.joints.at(0).child_pose.position - Vector3d(0, 0, 1)).norm(), kRoundOff);
  EXPECT_LT((scene.joints.at(0).axis - Vector3d(1, 0, 0)).norm(), kRoundOff);
}

TEST(Mjcf, ReplicateRepeatsNamesAndWhatRefersToThem) {
  const Scene scene = world(
      R"(<body name="z"><joint name="k"/><geom size=".1"/></body>
         <replicate count="2" sep="_" offset="0 1 0"><body name="b"><joint name="j"/><geom size=".1"/></body>
      </replicate>)",
      "", R"(<actuator><motor name="m" joint="j"/><motor name="n" joint="j"/><motor name="o" joint="k"/>
      </actuator>)");
  EXPECT_EQ(scene.bodies.at(2).name, "b_1");
  EXPECT_EQ(scene.bodies.at(2).pose.position, Vector3d(0, 1, 0));
  std::vector<std::string> names;
  for (const Actuator& actuator : scene.actuators) names.push_back(actuator.name);
  EXPECT_THAT(names, ElementsAre("o", "m_0", "n_0", "m_1", "n_1"));
  EXPECT_EQ(scene.actuators[3].joint, "j_1");
}

}  // namespace
}  // namespace stickslip
