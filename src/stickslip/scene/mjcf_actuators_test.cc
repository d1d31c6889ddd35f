#include "stickslip/scene/mjcf_testing.h"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

using namespace mjcf_testing;
using ::testing::ElementsAre;

Scene actuated(const std::string& actuators, const std::string& defaults = "") {
  return world(R"(<body><joint name="j" range="-90 90"/><geom size=".1"/></body>)",
               "<default>" + defaults + "</default>", "<actuator>" + actuators + "</actuator>");
}

TEST(Mjcf, ShortcutsBecomeGainAndBias) {
  const Scene scene = actuated(R"(<motor joint="j" gear="3" ctrlrange="-1 1"/>
      <position joint="j" kp="5" kv="2" forcerange="-4 4"/>
      <velocity joint="j" kv="7"/><damper joint="j" kv="2" ctrlrange="0 1"/>
      <general joint="j" gainprm="2" biastype="affine" biasprm="1 2 3"/>)");
  EXPECT_EQ(scene.actuators[0].gear[0], 3);
  EXPECT_EQ(scene.actuators[0].control_limits.upper, 1);
  EXPECT_THAT(scene.actuators[1].gain, ElementsAre(5, 0, 0));
  EXPECT_THAT(scene.actuators[1].bias, ElementsAre(0, -5, -2));
  EXPECT_EQ(scene.actuators[1].force_limits.lower, -4);
  EXPECT_THAT(scene.actuators[2].bias, ElementsAre(0, 0, -7));
  EXPECT_THAT(scene.actuators[3].gain, ElementsAre(0, 0, -2));
  EXPECT_THAT(scene.actuators[4].bias, ElementsAre(1, 2, 3));
}

TEST(Mjcf, ActuatorDefaultsReachGeneralButNotOtherShortcuts) {
  const Scene scene = actuated(R"(<general joint="j"/><motor joint="j"/>
      <position joint="j"/>)",
                               R"(<position kp="9" ctrlrange="0 1"/>)");
  EXPECT_THAT(scene.actuators[0].bias, ElementsAre(0, -9, 0));
  EXPECT_THAT(scene.actuators[1].gain, ElementsAre(1, 0, 0));
  EXPECT_EQ(scene.actuators[1].control_limits.upper, 1);
  EXPECT_THAT(scene.actuators[2].gain, ElementsAre(9, 0, 0));
}

TEST(Mjcf, InheritrangeTakesTheJointsRange) {
  const Scene scene = actuated(R"(<position joint="j" inheritrange=".5"/>)");
  EXPECT_NEAR(scene.actuators[0].control_limits.upper, 45 * kDegree, kRoundOff);
}

// Critical damping of a sphere of inertia I on a hinge: kv = 2 sqrt(kp I).
TEST(Mjcf, DampingRatioUsesTheReflectedInertia) {
  const Scene scene = actuated(R"(<position joint="j" kp="5" dampratio="1"/>)");
  const double inertia = 0.4 * scene.bodies[0].inertia.mass * 0.01;
  EXPECT_NEAR(scene.actuators[0].bias[2], -2 * std::sqrt(5 * inertia), kRoundOff);
}

TEST(Mjcf, UnsupportedActuatorsKeepTheirPlacesInKeyframesToo) {
  const Scene scene = world(R"(<body name="b"><joint name="j"/><geom size=".1"/></body>)", "",
                            R"(<actuator><adhesion body="b" ctrlrange="0 1"/><motor name="m" joint="j"/></actuator>
                               <keyframe><key qpos="1" ctrl="7 8"/></keyframe>)");
  ASSERT_EQ(scene.actuators.size(), 2u);
  EXPECT_TRUE(scene.actuators[0].is_idle());
  EXPECT_EQ(scene.actuators[0].control_limits.upper, 1);
  EXPECT_FALSE(scene.actuators[1].is_idle());
  EXPECT_TRUE(has_warning(scene, "unsupported-actuator"));
  EXPECT_THAT(scene.keyframes[0].ctrl, ElementsAre(7, 8));
}

TEST(Mjcf, WeldHoldsThePoseOfTheModel) {
  const Scene scene = world(
      R"(<body name="a" pos="1 0 0" euler="0 0 90"><freejoint/><geom size=".1"/></body><body name="b" pos="0 2 0">
      <freejoint/><geom size=".1"/></body>)",
      "", R"(<equality><weld body1="a" body2="b"/><connect body1="a" body2="b" anchor="1 0 0"/>
      <weld body1="a" active="false"/></equality>)");
  const Constraint& weld = scene.constraints.at(0);
  const Pose a = scene.bodies[0].pose, b = scene.bodies[1].pose;
  EXPECT_LT(((a * weld.pose_a).matrix() - (b * weld.pose_b).matrix()).norm(), kRoundOff);
  const Constraint& connect = scene.constraints.at(1);
  EXPECT_EQ(connect.kind, Constraint::Kind::kBall);
  EXPECT_LT(((a * connect.pose_a).position - (b * connect.pose_b).position).norm(), kRoundOff);
  EXPECT_FALSE(scene.constraints.at(2).active);
  EXPECT_EQ(scene.constraints.at(2).body_b, "world");
}

TEST(Mjcf, FixedTendonRestsWhereItsJointsSpringsDo) {
  const Scene scene = world(
      R"(<body><joint name="i" type="slide" springref="2"/><joint name="j" type="slide"/><geom size=".1"/>
      </body>)",
      "",
      R"(<tendon><fixed name="t" stiffness="1" range="-1 1"><joint joint="i" coef="3"/><joint joint="j" coef="-1"/>
      </fixed>
         <spatial name="s"/></tendon><equality><tendon tendon1="t"/></equality>)");
  ASSERT_EQ(scene.tendons.size(), 1u);
  EXPECT_EQ(scene.tendons[0].spring_rest.lower, 6);
  EXPECT_EQ(scene.tendons[0].limits.upper, 1);
  EXPECT_TRUE(has_warning(scene, "unsupported-element"));
  EXPECT_TRUE(scene.constraints.at(0).couples_tendons);
}

TEST(Mjcf, PairHasItsOwnContactParameters) {
  const Scene scene = world(R"(<geom name="a" size=".1" friction="9" contype="0" conaffinity="0"/>
      <geom name="b" size=".1" friction="9"/>)",
                            "", R"(<contact><pair geom1="a" geom2="b"/></contact>)");
  EXPECT_TRUE(scene.world_geometry[0].collides);
  const std::string& material = scene.contact_pairs.at(0).material;
  const auto found = std::find_if(scene.materials.begin(), scene.materials.end(),
                                  [&](const Material& candidate) { return candidate.name == material; });
  ASSERT_NE(found, scene.materials.end());
  EXPECT_EQ(found->dynamic_friction, 1);
}

TEST(Mjcf, OptionFlagsSwitchPhysicsOff) {
  const Scene scene = world(R"(<geom size=".1"/><body><joint range="0 1" damping="2"/><geom size=".1"/></body>)",
                            R"(<option timestep=".01" gravity="0 0 -1">
      <flag gravity="disable" contact="disable" limit="disable" filterparent="disable"/></option>)");
  EXPECT_EQ(scene.gravity, Vector3d::Zero());
  EXPECT_FALSE(scene.world_geometry[0].collides);
  EXPECT_FALSE(scene.joints[0].limits.bounded());
  EXPECT_EQ(scene.joints[0].damping, 2);
  EXPECT_FALSE(scene.filter_parent_child);
  EXPECT_EQ(scene.simulation.time_step, std::nullopt);  // for who asks for it
  EXPECT_EQ(scene.simulation.file_time_step, 0.01);
}

}  // namespace
}  // namespace stickslip
