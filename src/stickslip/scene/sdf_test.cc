#include "stickslip/scene/sdf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "stickslip/base/temporary_folder.h"

namespace stickslip {
namespace {

using testing::Contains;
using testing::Field;

constexpr double kRoundOff = 1e-14;  // a few products of rotations

const std::string kInertial =
    "<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";

std::string link(const std::string& name, const std::string& inside = "") {
  return "<link name='" + name + "'>" + kInertial + inside + "</link>";
}

std::string joint(const std::string& type, const std::string& inside = "") {
  return "<joint name='j' type='" + type + "'><parent>a</parent><child>b</child>" + inside + "</joint>";
}

std::string file(const std::string& inside, const std::string& version = "1.9") {
  return "<sdf version='" + version + "'>" + inside + "</sdf>";
}

std::string model(const std::string& inside) { return file("<model name='m'>" + inside + "</model>"); }

Scene read(const std::string& text) { return read_sdf_string(text, ".", {}); }

auto has_warning(const std::string& code) { return Contains(Field(&Warning::code, code)); }

const Body& body(const Scene& scene, const std::string& name) {
  for (const Body& candidate : scene.bodies) {
    if (candidate.name == name) return candidate;
  }
  throw std::runtime_error("no body " + name);
}

TEST(Sdf, LinksWithoutAJointAreFreeAndThoseOfStaticModelsFixed) {
  const Scene scene = read(
      file("<model name='m'>" + link("a") + "</model><model name='s'><static>true</static>" + link("a") + "</model>"));
  ASSERT_EQ(scene.bodies.size(), 2u);
  EXPECT_FALSE(body(scene, "m::a").fixed);
  EXPECT_TRUE(body(scene, "s::a").fixed);
  EXPECT_TRUE(scene.joints.empty());
}

TEST(Sdf, OneModelNeedsNoPrefix) {
  const Scene scene = read(model(link("a") + "<model name='n'>" + link("a") + "</model>"));
  EXPECT_EQ(scene.bodies[0].name, "a");
  EXPECT_EQ(scene.bodies[1].name, "n::a");
}

TEST(Sdf, PosesFollowRelativeToThroughFramesAndNestedModels) {
  const Scene scene = read(model("<pose>10 0 0 0 0 0</pose>" + link("a", "<pose relative_to='f'>0 0 1 0 0 0</pose>") +
                                 "<frame name='f' attached_to='n::a'><pose>0 1 0 0 0 0</pose></frame>"
                                 "<model name='n'><pose>1 0 0 0 0 90</pose>" +
                                 link("a", "<pose degrees='true'>1 0 0 0 0 90</pose>") + "</model>"));
  EXPECT_TRUE(body(scene, "n::a").pose.position.isApprox(Vector3d(11 + std::cos(90), std::sin(90), 0)));
  // f is one metre along y of n::a, which is turned by 90 rad (of the model) and 90 degrees.
  const Vector3d f = body(scene, "n::a").pose * Vector3d(0, 1, 0);
  EXPECT_TRUE(body(scene, "a").pose.position.isApprox(f + Vector3d(0, 0, 1)));
  ASSERT_EQ(scene.frames.size(), 1u);
  EXPECT_EQ(scene.frames[0].body, "n::a");
  EXPECT_TRUE(scene.frames[0].pose.position.isApprox(Vector3d(0, 1, 0)));
}

TEST(Sdf, QuaternionsAreXyzwAndAnglesDegreesWhereTheFileSaysSo) {
  const Scene scene =
      read(model(link("a", "<pose rotation_format='quat_xyzw'>0 0 0 0 0 0.7071067811865476 0.7071067811865476</pose>") +
                 link("b", "<pose degrees='true'>0 0 0 0 0 90</pose>")));
  EXPECT_NEAR((body(scene, "a").pose.rotation - body(scene, "b").pose.rotation).norm(), 0, kRoundOff);
  EXPECT_NEAR(body(scene, "b").pose.rotation(1, 0), 1, kRoundOff);
}

TEST(Sdf, PlacementFrameStandsWhereThePoseSays) {
  const Scene scene = read(file("<model name='m' placement_frame='a'><pose>0 0 5 0 0 0</pose>" +
                                link("a", "<pose>1 2 3 0 0 1</pose>") + "</model>"));
  EXPECT_TRUE(scene.bodies[0].pose.position.isApprox(Vector3d(0, 0, 5)));
  EXPECT_TRUE(scene.bodies[0].pose.rotation.isIdentity(kRoundOff));
}

TEST(Sdf, JointFramesCoincideAtZeroAndAxesAreTurnedIntoThem) {
  const Scene scene = read(
      model(link("a", "<pose>0 0 1 0 0 0</pose>") + link("b", "<pose>0 0 2 0 0 1.5707963267948966</pose>") +
            joint("revolute", "<pose>0.5 0 0 0 0 0</pose><axis><xyz expressed_in='__model__'>0 2 0</xyz></axis>")));
  const Joint& j = scene.joints[0];
  EXPECT_EQ(j.parent, "a");
  EXPECT_TRUE((body(scene, "a").pose * j.pose).position.isApprox(Vector3d(0, 0.5, 2)));
  EXPECT_TRUE((body(scene, "b").pose * j.child_pose).position.isApprox(Vector3d(0, 0.5, 2)));
  EXPECT_TRUE(j.axis.isApprox(Vector3d(1, 0, 0)));  // the joint's frame is turned as b
  EXPECT_FALSE(j.limits.bounded());
}

// Axes were in the model's frame until 1.4, in the joint's since, unless use_parent_model_frame.
TEST(Sdf, OldVersionsKeepTheirRuleForAxes) {
  const auto axis = [](const std::string& version, const std::string& inside) {
    return read(file("<model name='m'>" + link("a") + link("b", "<pose>0 0 0 0 0 1.5707963267948966</pose>") +
                         joint("revolute", "<axis><xyz>0 1 0</xyz>" + inside + "</axis>") + "</model>",
                     version))
        .joints[0]
        .axis;
  };
  EXPECT_TRUE(axis("1.4", "").isApprox(Vector3d(1, 0, 0)));
  EXPECT_TRUE(axis("1.5", "").isApprox(Vector3d(0, 1, 0)));
  EXPECT_TRUE(axis("1.10", "").isApprox(Vector3d(0, 1, 0)));
  EXPECT_TRUE(axis("1.6", "<use_parent_model_frame>1</use_parent_model_frame>").isApprox(Vector3d(1, 0, 0)));
}

TEST(Sdf, EveryTypeOfJointIsRead) {
  const auto type = [](const std::string& word) {
    return read(model(link("a") + link("b") +
                      joint(word, "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>")))
        .joints[0]
        .type;
  };
  EXPECT_EQ(type("revolute"), JointType::kRevolute);
  EXPECT_EQ(type("continuous"), JointType::kContinuous);
  EXPECT_EQ(type("prismatic"), JointType::kPrismatic);
  EXPECT_EQ(type("ball"), JointType::kBall);
  EXPECT_EQ(type("universal"), JointType::kUniversal);
  EXPECT_EQ(type("revolute2"), JointType::kUniversal);
  EXPECT_EQ(type("fixed"), JointType::kFixed);
  EXPECT_EQ(type("screw"), JointType::kScrew);
}

TEST(Sdf, BothPitchesOfScrewsAreMetresARadian) {
  const auto pitch = [](const std::string& inside) {
    return read(model(link("a") + link("b") + joint("screw", inside))).joints[0].pitch;
  };
  EXPECT_NEAR(pitch("<screw_thread_pitch>0.5</screw_thread_pitch>"), 0.5 / (2 * std::numbers::pi), kRoundOff);
  EXPECT_NEAR(pitch("<thread_pitch>-4</thread_pitch>"), 0.25, kRoundOff);
}

TEST(Sdf, LimitsAndDynamicsAreRead) {
  const Scene scene = read(model(
      link("a") + link("b") +
      joint("prismatic",
            "<axis><xyz>0 0 1</xyz><limit><lower>-1</lower><upper>1e16</upper><effort>3</effort><velocity>-1</velocity>"
            "</limit><dynamics><damping>4</damping><friction>5</friction><spring_stiffness>6</spring_stiffness>"
            "<spring_reference>0.5</spring_reference></dynamics></axis>")));
  const Joint& j = scene.joints[0];
  EXPECT_EQ(j.limits.lower, -1);
  EXPECT_EQ(j.limits.upper, kInfinity);
  EXPECT_EQ(j.effort_limit, 3);
  EXPECT_EQ(j.velocity_limit, kInfinity);
  EXPECT_EQ(j.damping, 4);
  EXPECT_EQ(j.dry_friction, 5);
  EXPECT_EQ(j.stiffness, 6);
  EXPECT_EQ(j.spring_reference, 0.5);
}

TEST(Sdf, MimicIsACouplerMeasuredFromItsReference) {
  const Scene scene = read(model(link("a") + link("b") + link("c") + joint("revolute") +
                                 "<joint name='k' type='revolute'><parent>a</parent><child>c</child><axis><mimic "
                                 "joint='j'><multiplier>2</multiplier><offset>1</offset><reference>3</reference>"
                                 "</mimic></axis></joint>"));
  ASSERT_EQ(scene.constraints.size(), 1u);
  EXPECT_EQ(scene.constraints[0].joint_a, "k");
  EXPECT_EQ(scene.constraints[0].joint_b, "j");
  EXPECT_EQ(scene.constraints[0].coefficients[0], -5);
  EXPECT_EQ(scene.constraints[0].coefficients[1], 2);
}

TEST(Sdf, AJointWhoseChildHangsAlreadyIsTurnedRoundOrClosesALoop) {
  const std::string two_parents = link("a") + link("b") + link("c") + joint("revolute") +
                                  "<joint name='k' type='revolute'><parent>c</parent><child>b</child><axis><xyz>1 0 "
                                  "0</xyz></axis></joint>";
  const Scene turned = read(model(two_parents));
  ASSERT_EQ(turned.joints.size(), 2u);
  EXPECT_EQ(turned.joints[1].parent, "b");
  EXPECT_EQ(turned.joints[1].child, "c");
  EXPECT_TRUE(turned.joints[1].axis.isApprox(Vector3d(-1, 0, 0)));
  EXPECT_THAT(turned.warnings, has_warning("reversed-joint"));
  const Scene loop =
      read(model(two_parents + "<joint name='l' type='ball'><parent>a</parent><child>c</child></joint>"));
  ASSERT_EQ(loop.joints.size(), 2u);
  // Two points of the hinge k, since l carries c already.
  ASSERT_EQ(loop.constraints.size(), 2u);
  EXPECT_EQ(loop.constraints[0].kind, Constraint::Kind::kBall);
  EXPECT_TRUE((loop.constraints[0].pose_a.position - loop.constraints[1].pose_a.position).isApprox(Vector3d(-1, 0, 0)));
  EXPECT_THAT(loop.warnings, has_warning("closed-loop"));
}

TEST(Sdf, JointsNameFramesAndTheWorld) {
  const Scene scene = read(model(link("a", "<pose>0 0 1 0 0 0</pose>") +
                                 "<frame name='f' attached_to='a'><pose>1 0 0 0 0 0</pose></frame>"
                                 "<joint name='j' type='fixed'><parent>world</parent><child>f</child></joint>"));
  EXPECT_EQ(scene.joints[0].parent, "world");
  EXPECT_EQ(scene.joints[0].child, "a");
  EXPECT_TRUE(scene.joints[0].pose.position.isApprox(Vector3d(1, 0, 1)));
  EXPECT_TRUE(scene.joints[0].child_pose.position.isApprox(Vector3d(1, 0, 0)));
}

// Old files have it, and mean that.
TEST(Sdf, ALinkNamedWorldIsPartOfIt) {
  const Scene scene = read(model("<link name='world'/>" + link("a") +
                                 "<joint name='j' type='revolute'><parent>world</parent><child>a</child></joint>"));
  EXPECT_EQ(scene.bodies[0].name, "world_link");
  EXPECT_TRUE(scene.bodies[0].fixed);
  EXPECT_EQ(scene.joints[0].parent, "world_link");
  EXPECT_THAT(scene.warnings, has_warning("reserved-name"));
}

TEST(Sdf, WorldsHaveTheirGravityAndTimeStep) {
  EXPECT_EQ(read(file("<world name='w'/>")).gravity, Vector3d(0, 0, -9.8));
  EXPECT_EQ(read(file("<world name='w'><gravity>0 0 -1</gravity></world>")).gravity, Vector3d(0, 0, -1));
  const Scene old =
      read(file("<world name='w'><physics type='ode'><gravity>0 0 -2</gravity><max_step_size>0.002"
                "</max_step_size></physics></world>",
                "1.4"));
  EXPECT_EQ(old.gravity, Vector3d(0, 0, -2));
  EXPECT_EQ(old.simulation.time_step, std::nullopt);  // for who asks for it
  EXPECT_EQ(old.simulation.file_time_step, 0.002);
}

TEST(Sdf, MissingInertialIsTheFormatsDefaultAndSaidSo) {
  const Scene scene = read(model("<link name='a'/>"));
  EXPECT_EQ(scene.bodies[0].inertia.mass, 1);
  EXPECT_TRUE(scene.bodies[0].inertia.inertia.isIdentity(0));
  EXPECT_THAT(scene.warnings, has_warning("default-inertial"));
}

TEST(Sdf, AutomaticInertiaIsThatOfTheCollisionShapes) {
  const std::string box =
      "<collision name='c'><pose>1 0 0 0 0 0</pose><geometry><box><size>1 2 3</size></box></geometry></collision>";
  const Scene scene =
      read(model("<link name='a'><inertial auto='true'><density>10</density></inertial>" + box + "</link>"));
  EXPECT_DOUBLE_EQ(scene.bodies[0].inertia.mass, 60);
  EXPECT_EQ(scene.bodies[0].inertia.center, Vector3d(1, 0, 0));
  EXPECT_DOUBLE_EQ(scene.bodies[0].inertia.inertia(0, 0), 60.0 * (4 + 9) / 12);
}

TEST(Sdf, LinksOfAModelDoNotCollideUnlessOneSaysSo) {
  const std::string ball = "<collision name='c'><geometry><sphere><radius>1</radius></sphere></geometry></collision>";
  const std::string three = link("a", ball) + link("b", ball) + link("c", ball);
  const auto families = [](const Scene& scene) {
    std::vector<int> out;
    for (const Body& body : scene.bodies) out.push_back(body.family);
    return out;
  };
  EXPECT_THAT(families(read(model(three))), testing::ElementsAre(1, 1, 1));
  EXPECT_THAT(families(read(model(three + "<self_collide>true</self_collide>"))), testing::ElementsAre(0, 0, 0));
  EXPECT_THAT(families(read(model(three + link("d", ball + "<self_collide>1</self_collide>") + link("e", "")))),
              testing::ElementsAre(1, 1, 1, 0, 0));
}

TEST(Sdf, SurfacesBecomeMaterials) {
  const auto material = [](const std::string& surface) {
    const Scene scene = read(model(link(
        "a", "<collision name='c'><geometry><box><size>1 1 1</size></box></geometry>" + surface + "</collision>")));
    return scene.materials.at(0);
  };
  EXPECT_EQ(material("").static_friction, 1);
  const Material soft = material(
      "<surface><friction><ode><mu>0.3</mu></ode></friction><contact><ode><kp>1e5</kp><kd>100</kd></ode></contact>"
      "</surface>");
  EXPECT_EQ(soft.dynamic_friction, 0.3);
  EXPECT_EQ(soft.stiffness, 1e5);
  EXPECT_EQ(soft.relaxation_time, 1e-3);
  EXPECT_EQ(material("<surface><contact><ode><kp>1e12</kp></ode></contact></surface>").stiffness, Material().stiffness);
}

TEST(Sdf, IncludesTakeNamePoseAndVersionAlong) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "arm");
  std::ofstream(folder.path() / "arm" / "model.config")
      << "<model><sdf version='1.4'>old.sdf</sdf><sdf version='1.10'>new.sdf</sdf></model>";
  std::ofstream(folder.path() / "arm" / "old.sdf") << file("<model name='arm'>" + link("wrong") + "</model>", "1.4");
  std::ofstream(folder.path() / "arm" / "new.sdf") << file(
      "<model name='arm'><pose>7 7 7 0 0 0</pose>" + link("a", "<pose>1 0 0 0 0 0</pose>") + "</model>", "1.10");
  const std::string text = file(
      "<world name='w'><include><uri>model://arm</uri></include><include><uri>arm</uri><name>left</name>"
      "<pose>0 0 1 0 0 0</pose><static>true</static></include></world>");
  const Scene scene = read_sdf_string(text, folder.path().string(), {});
  EXPECT_EQ(body(scene, "arm::a").pose.position, Vector3d(8, 7, 7));
  EXPECT_EQ(body(scene, "left::a").pose.position, Vector3d(1, 0, 1));
  EXPECT_TRUE(body(scene, "left::a").fixed);
}

TEST(Sdf, MergedIncludesAddTheirLinksToTheModelAround) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "hand.sdf") << file("<model name='hand'>" + link("palm", "<pose>1 0 0 0 0 0</pose>") +
                                                    "<frame name='grip'><pose>0 1 0 0 0 0</pose></frame></model>");
  const std::string text = file("<model name='m'>" + link("a") +
                                "<include merge='true'><uri>hand.sdf</uri><pose>0 0 1 0 0 0</pose></include>"
                                "<joint name='j' type='fixed'><parent>a</parent><child>palm</child></joint></model>");
  const Scene scene = read_sdf_string(text, folder.path().string(), {});
  EXPECT_EQ(body(scene, "palm").pose.position, Vector3d(1, 0, 1));
  EXPECT_EQ(scene.joints[0].child, "palm");
  EXPECT_THAT(scene.frames, Contains(Field(&Frame::name, "grip")));
}

TEST(Sdf, GazebosOwnModelsHaveStandIns) {
  const Scene scene = read(
      file("<world name='w'><include><uri>model://sun</uri></include><include><uri>model://ground_plane</uri></include>"
           "</world>"));
  ASSERT_EQ(scene.bodies.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<HalfSpace>(scene.bodies[0].geometry[0].shape));
  EXPECT_THAT(scene.warnings, has_warning("standard-model"));
}

TEST(Sdf, SubmeshIsThePartOfThatName) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "chest.obj") << "v 0 0 1\nv 2 0 1\nv 2 4 1\nv 0 4 2\no box\nf 1 2 3\no lid\nf 1 2 3\n"
                                                "f 1 3 4\nf 1 4 2\nf 2 4 3\n";
  const auto read_chest = [&](const std::string& part) {
    return read_sdf_string(
        model(link("a", "<visual name='v'><geometry><mesh><uri>chest.obj</uri><submesh><name>" + part +
                            "</name><center>true</center></submesh></mesh></geometry></visual>")),
        folder.path().string(), {});
  };
  const Scene scene = read_chest("lid");
  EXPECT_TRUE(scene.warnings.empty());
  const Mesh& lid = *std::get<TriangleMesh>(body(scene, "a").geometry.at(0).shape).mesh;
  EXPECT_EQ(lid.triangles.size(), 4u);
  EXPECT_EQ(lid.vertices[0], Vector3d(-1, -2, -0.5));
  EXPECT_THAT(read_chest("lit").warnings, has_warning("unknown-submesh"));
}

TEST(Sdf, WhatIsNotUnderstoodIsSaidOnceWithItsPlace) {
  const Scene scene =
      read("<sdf version='1.9'>\n<model name='m'>" + link("a") + "\n<plugin/><plugin/><lnk/></model></sdf>");
  ASSERT_EQ(scene.warnings.size(), 2u);
  EXPECT_EQ(scene.warnings[0].code, "ignored-element");
  EXPECT_EQ(scene.warnings[0].where.line, 3);
  EXPECT_EQ(scene.warnings[1].code, "unknown-element");
}

struct Mistake {
  std::string text;
  std::string code;
};

class SdfMistake : public testing::TestWithParam<Mistake> {};

TEST_P(SdfMistake, IsRefusedWithItsCodeAndPlace) {
  try {
    read(GetParam().text);
    FAIL() << "not refused: " << GetParam().code;
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), GetParam().code) << error.what();
    EXPECT_EQ(error.where().line, 1);
    EXPECT_GT(error.where().column, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, SdfMistake,
    testing::Values(
        Mistake{model("<link name='a'><inertial><mass>1.0abc</mass></inertial></link>"), "bad-number"},
        Mistake{model("<link name='a'><inertial><mass>nan</mass></inertial></link>"), "bad-number"},
        Mistake{model("<link name='a'><inertial><mass>-1</mass></inertial></link>"), "negative-mass"},
        Mistake{model(link("a") + link("a")), "duplicate-name"},
        Mistake{model(link("a", "<pose>1 2</pose>")), "wrong-count"},
        Mistake{model(link("a", "<pose relative_to='x'>0 0 0 0 0 0</pose>")), "unknown-frame"},
        Mistake{model("<frame name='f' attached_to='g'/><frame name='g' attached_to='f'/>" + link("a")), "frame-cycle"},
        Mistake{model(link("a") + link("b") + joint("hinge")), "unknown-joint-type"},
        Mistake{model(link("a") + joint("fixed")), "unknown-frame"},
        Mistake{model(link("a") + link("b") + joint("revolute", "<axis><xyz>0 0 0</xyz></axis>")), "zero-axis"},
        Mistake{model(link("a") + link("b") +
                      joint("revolute", "<axis><limit><lower>1</lower><upper>0</upper></limit></axis>")),
                "bad-range"},
        Mistake{model(link("a") + "<include><uri>model://nowhere</uri></include>"), "no-such-file"}));

}  // namespace
}  // namespace stickslip
