#include "stickslip/scene/urdf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "stickslip/base/temporary_folder.h"
#include "stickslip/scene/urdf_files.h"

namespace stickslip {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;

const std::string kInertial =
    "<inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>";

std::string joint(const std::string& type, const std::string& inside = "") {
  return "<joint name='j' type='" + type + "'><parent link='base'/><child link='tip'/>" + inside + "</joint>";
}

std::string robot(const std::string& inside) { return "<robot name='r'>" + inside + "</robot>"; }

std::string two_links(const std::string& joint_text) {
  return robot("<link name='base'/><link name='tip'>" + kInertial + "</link>" + joint_text);
}

Scene read(const std::string& text, BaseType base = BaseType::kFixed) {
  LoadOptions options;
  options.base = base;
  return read_urdf_string(text, ".", options);
}

auto has_warning(const std::string& code) { return Contains(Field(&Warning::code, code)); }

TEST(Urdf, RootIsFixedUnlessItFloats) {
  const std::string text = two_links(joint("continuous"));
  const Scene fixed = read(text);
  EXPECT_TRUE(fixed.bodies[0].fixed);
  EXPECT_EQ(fixed.joints.size(), 1u);
  const Scene floating = read(text, BaseType::kFloating);
  EXPECT_FALSE(floating.bodies[0].fixed);
  EXPECT_EQ(floating.joints[0].name, "root_joint");
  EXPECT_EQ(floating.joints[0].type, JointType::kFree);
  EXPECT_EQ(floating.joints[0].child, "base");
}

TEST(Urdf, BodiesFollowTheRootInTheOrderOfTheJoints) {
  const Scene scene =
      read(robot("<link name='c'/><link name='b'/><link name='a'/>"
                 "<joint name='1' type='fixed'><parent link='b'/><child link='c'/></joint>"
                 "<joint name='2' type='fixed'><parent link='a'/><child link='b'/></joint>"));
  ASSERT_EQ(scene.bodies.size(), 3u);
  EXPECT_EQ(scene.bodies[0].name, "a");
  EXPECT_EQ(scene.bodies[1].name, "c");
  EXPECT_EQ(scene.bodies[2].name, "b");
}

TEST(Urdf, InertiaIsTurnedIntoBodyAxesAboutTheCentre) {
  const Scene scene =
      read(robot("<link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>"
                 "<mass value='2'/><inertia ixx='1' iyy='2' izz='2.5' ixy='0' ixz='0' iyz='0'/>"
                 "</inertial></link>"));
  const MassProperties& m = scene.bodies[0].inertia;
  EXPECT_EQ(m.mass, 2);
  EXPECT_EQ(m.center, Vector3d(1, 2, 3));
  EXPECT_NEAR(m.inertia(0, 0), 2, 1e-15);
  EXPECT_NEAR(m.inertia(1, 1), 1, 1e-15);
}

TEST(Urdf, JointTypesLimitsAndDynamicsAreRead) {
  const Scene scene = read(two_links(joint("revolute",
                                           "<origin xyz='1 0 0' rpy='0 0 0.5'/><axis xyz='0 0 2'/>"
                                           "<limit lower='-1' upper='2' effort='3' velocity='4'/>"
                                           "<dynamics damping='5' friction='6'/>")));
  const Joint& j = scene.joints[0];
  EXPECT_EQ(j.type, JointType::kRevolute);
  EXPECT_EQ(j.axis, Vector3d::UnitZ());
  EXPECT_EQ(j.pose.position, Vector3d::UnitX());
  EXPECT_NEAR(j.pose.rotation(1, 0), std::sin(0.5), 1e-15);
  EXPECT_EQ(j.limits.lower, -1);
  EXPECT_EQ(j.limits.upper, 2);
  EXPECT_EQ(j.effort_limit, 3);
  EXPECT_EQ(j.velocity_limit, 4);
  EXPECT_EQ(j.damping, 5);
  EXPECT_EQ(j.dry_friction, 6);
  EXPECT_TRUE(scene.warnings.empty());
  EXPECT_EQ(read(two_links(joint("floating"))).joints[0].type, JointType::kFree);
  EXPECT_EQ(read(two_links(joint("planar"))).joints[0].type, JointType::kPlanar);
  EXPECT_EQ(read(two_links(joint("continuous"))).joints[0].axis, Vector3d::UnitX());
}

TEST(Urdf, ContinuousJointsIgnoreTheRange) {
  const Scene scene = read(two_links(joint("continuous", "<limit lower='0' upper='0' effort='1' velocity='1'/>")));
  EXPECT_FALSE(scene.joints[0].limits.bounded());
  EXPECT_EQ(scene.joints[0].effort_limit, 1);
}

TEST(Urdf, MimicBecomesACoupler) {
  const Scene scene = read(robot("<link name='a'/><link name='b'>" + kInertial + "</link><link name='c'>" + kInertial +
                                 "</link><joint name='p' type='continuous'><parent link='a'/><child link='b'/></joint>"
                                 "<joint name='q' type='continuous'><parent link='a'/><child link='c'/>"
                                 "<mimic joint='p' multiplier='-2' offset='0.5'/></joint>"));
  ASSERT_EQ(scene.constraints.size(), 1u);
  EXPECT_EQ(scene.constraints[0].kind, Constraint::Kind::kCoupler);
  EXPECT_EQ(scene.constraints[0].joint_a, "q");
  EXPECT_EQ(scene.constraints[0].joint_b, "p");
  EXPECT_THAT(scene.constraints[0].coefficients, ElementsAre(0.5, -2, 0, 0, 0));
  EXPECT_THAT(scene.joints[1].position, ElementsAre(0.5));
}

std::string robot_on_world(const std::string& more = "") {
  return robot(
      "<link name='world'><collision><geometry><box size='1 1 1'/></geometry></collision></link>"
      "<link name='tip'>" +
      kInertial +
      "</link><joint name='j' type='continuous'><parent link='world'/>"
      "<child link='tip'/></joint>" +
      more);
}

TEST(Urdf, AFixedRootLinkNamedWorldIsTheWorld) {
  const Scene scene = read(robot_on_world());
  ASSERT_EQ(scene.bodies.size(), 1u);
  EXPECT_EQ(scene.bodies[0].name, "tip");
  EXPECT_EQ(scene.world_geometry.size(), 1u);
  EXPECT_EQ(scene.joints[0].parent, kWorld);
  EXPECT_TRUE(scene.warnings.empty());
}

TEST(Urdf, AFloatingRootLinkNamedWorldIsABodyOfAnotherName) {
  const Scene scene = read(robot_on_world(), BaseType::kFloating);
  ASSERT_EQ(scene.bodies.size(), 2u);
  EXPECT_EQ(scene.bodies[0].name, "world_link");
  EXPECT_EQ(scene.bodies[0].geometry.size(), 1u);
  EXPECT_TRUE(scene.world_geometry.empty());
  ASSERT_EQ(scene.joints.size(), 2u);
  EXPECT_EQ(scene.joints[0].type, JointType::kFree);
  EXPECT_EQ(scene.joints[0].parent, kWorld);
  EXPECT_EQ(scene.joints[0].child, "world_link");
  EXPECT_EQ(scene.joints[1].parent, "world_link");
  EXPECT_THAT(scene.warnings, has_warning("renamed-world"));
}

TEST(Urdf, TheNameOfAFloatingWorldIsUnique) {
  const Scene scene = read(robot_on_world("<link name='world_link'/><joint name='k' type='fixed'><parent link='world'/>"
                                          "<child link='world_link'/></joint>"),
                           BaseType::kFloating);
  EXPECT_EQ(scene.bodies[0].name, "world_link_");
  EXPECT_EQ(scene.joints[2].parent, "world_link_");
  EXPECT_EQ(scene.joints[2].child, "world_link");
}

TEST(Urdf, VisualsAreSeenAndCollisionsCollide) {
  const Scene scene =
      read(robot("<material name='red'><color rgba='1 0 0 0.5'/></material><link name='a'>"
                 "<visual><geometry><sphere radius='1'/></geometry><material name='red'/></visual>"
                 "<collision name='c'><origin xyz='0 0 1'/><geometry><cylinder radius='1' length='2'/>"
                 "</geometry></collision><collision><geometry><capsule radius='1' length='2'/>"
                 "</geometry></collision></link>"));
  const std::vector<Geometry>& g = scene.bodies[0].geometry;
  ASSERT_EQ(g.size(), 3u);
  EXPECT_FALSE(g[0].collides);
  EXPECT_TRUE(g[0].visible);
  EXPECT_THAT(g[0].color, ElementsAre(1, 0, 0, 0.5));
  EXPECT_TRUE(g[1].collides);
  EXPECT_FALSE(g[1].visible);
  EXPECT_EQ(g[1].name, "c");
  EXPECT_EQ(g[1].pose.position, Vector3d::UnitZ());
  EXPECT_EQ(std::get<Capsule>(g[2].shape).length, 2);
}

// A box around a hand, for safety, is not for the eye; a robot of boxes is.
TEST(Urdf, WhatCollidesIsDrawnOnlyInsteadOfVisuals) {
  const std::string box = "<geometry><box size='1 1 1'/></geometry>",
                    joint = "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>";
  const std::string safe = "<link name='b'><collision>" + box + "</collision></link>" + joint;
  const auto last = [](const Scene& scene) { return scene.bodies.back().geometry.back().visible; };
  EXPECT_FALSE(last(read(robot("<link name='a'><visual>" + box + "</visual></link>" + safe))));
  EXPECT_TRUE(last(read(robot("<link name='a'><collision>" + box + "</collision></link>" + safe))));
  EXPECT_TRUE(last(
      read(robot("<link name='a'><visual>" + box + "</visual></link><link name='b'><visual><geometry>" +
                 "<mesh filename='no.3ds'/></geometry></visual><collision>" + box + "</collision></link>" + joint))));
}

TEST(Urdf, ARobotWithoutItsMeshesStillLoads) {
  const Scene scene =
      read(robot("<link name='a'><visual><geometry><mesh filename='package://no/x.3ds'/></geometry>"
                 "</visual><collision><geometry><mesh filename='package://no/x.stl'/></geometry>"
                 "</collision></link>"));
  EXPECT_TRUE(scene.bodies[0].geometry.empty());
  EXPECT_THAT(scene.warnings, has_warning("missing-visual"));
  EXPECT_THAT(scene.warnings, has_warning("missing-mesh"));
}

// RViz and Drake draw a mesh in its own colours where it has some, and in the visual's material where it has none.
TEST(Urdf, MeshesOfCadProgramsAreReadWithTheirColors) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "a.dae")
      << "<COLLADA><asset><unit meter='0.5'/></asset><library_effects><effect id='e'><profile_COMMON><technique><phong>"
         "<diffuse><color>1 0 0 1</color></diffuse></phong></technique></profile_COMMON></effect></library_effects>"
         "<library_materials><material id='m'><instance_effect url='#e'/></material></library_materials>"
         "<library_geometries><geometry id='g'><mesh><source id='s'><float_array>0 0 0 2 0 0 0 2 0 0 0 2</float_array>"
         "</source><vertices id='v'><input semantic='POSITION' source='#s'/></vertices><triangles material='m'>"
         "<input semantic='VERTEX' source='#v' offset='0'/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry>"
         "</library_geometries><library_visual_scenes><visual_scene><node><instance_geometry url='#g'/></node>"
         "</visual_scene></library_visual_scenes></COLLADA>";
  std::ofstream(folder.path() / "bad.glb") << "glTF";
  const Scene scene =
      read_urdf_string(robot("<link name='a'><visual><geometry><mesh filename='a.dae' scale='1 1 3'/></geometry>"
                             "<material name='blue'><color rgba='0 0 1 1'/></material></visual>"
                             "<collision><geometry><mesh filename='a.dae'/></geometry></collision>"
                             "<collision><geometry><mesh filename='bad.glb'/></geometry></collision></link>"),
                       folder.path().string(), {});
  const std::vector<Geometry>& g = scene.bodies[0].geometry;
  ASSERT_EQ(g.size(), 2u);
  const Mesh& seen = *std::get<TriangleMesh>(g[0].shape).mesh;
  EXPECT_EQ(seen.vertices[3], Vector3d(0, 0, 3));
  ASSERT_EQ(seen.parts.size(), 1u);
  EXPECT_EQ(seen.parts[0].count, 4);
  EXPECT_THAT(seen.parts[0].color, ElementsAre(1, 0, 0, 1));
  EXPECT_EQ(std::get<ConvexMesh>(g[1].shape).mesh->vertices.size(), 4u);
  EXPECT_THAT(scene.warnings, has_warning("bad-mesh"));
}

TEST(Urdf, MasslessLinksAreReportedOnlyWhereTheyMoveAndCarryMass) {
  EXPECT_TRUE(read(robot("<link name='base'/><link name='tip'/>" + joint("fixed"))).warnings.empty());
  EXPECT_THAT(read(robot("<link name='base'/><link name='tip'/>" + joint("continuous"))).warnings,
              has_warning("massless-joint"));
  const Scene between = read(
      robot("<link name='base'/><link name='tip'/><link name='end'>" + kInertial + "</link>" + joint("continuous") +
            "<joint name='k' type='continuous'><parent link='tip'/><child link='end'/></joint>"));
  EXPECT_THAT(between.warnings, has_warning("no-inertial"));
}

TEST(Urdf, OddFilesLoadWithAWarning) {
  EXPECT_THAT(read(two_links(joint("revolute"))).warnings, has_warning("missing-limit"));
  EXPECT_THAT(read(two_links(joint("revolute", "<limit effort='1' velocity='1'/>"))).warnings,
              has_warning("zero-range"));
  const Scene zero = read(two_links(joint("revolute", "<limit lower='-1' upper='1' effort='0' velocity='0'/>")));
  EXPECT_THAT(zero.warnings, has_warning("zero-limit"));
  EXPECT_EQ(zero.joints[0].velocity_limit, kInfinity);
  const Scene away = read(two_links(joint("revolute", "<limit lower='1' upper='2' effort='1' velocity='1'/>")));
  EXPECT_THAT(away.warnings, has_warning("start-outside-limits"));
  EXPECT_THAT(away.joints[0].position, ElementsAre(1));
  EXPECT_THAT(read(two_links(joint("continuous", "<mimic joint='absent'/>"))).warnings, has_warning("unknown-mimic"));
  EXPECT_THAT(read(robot("<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='9' ixy='0' ixz='0' "
                         "iyz='0'/></inertial></link>"))
                  .warnings,
              has_warning("repaired-inertia"));
}

TEST(Urdf, ElementsLeftOutAreReportedOnceAKind) {
  const Scene scene = read(robot("<link name='a'><colision/></link><gazebo/><gazebo/><transmission/>"));
  ASSERT_EQ(scene.warnings.size(), 3u);
  EXPECT_EQ(scene.warnings[0].code, "unknown-element");
  EXPECT_THAT(scene.warnings[0].message, testing::HasSubstr("<collision>"));
  EXPECT_EQ(scene.warnings[1].code, "ignored-element");
}

TEST(Urdf, PackagesAreFoundAboveTheFileAndOnThePaths) {
  namespace fs = std::filesystem;
  const TemporaryFolder temporary;
  const fs::path folder = temporary.path();
  fs::create_directories(folder / "bot" / "meshes");
  fs::create_directories(folder / "bot" / "urdf");
  fs::create_directories(folder / "share" / "arm");
  std::ofstream(folder / "bot" / "meshes" / "x.stl") << "x";
  std::ofstream(folder / "share" / "arm" / "y.stl") << "y";
  const std::string x = (folder / "bot" / "meshes" / "x.stl").string();
  const std::string y = (folder / "share" / "arm" / "y.stl").string();
  EXPECT_EQ(resolve_uri("package://bot/meshes/x.stl", folder / "bot" / "urdf", {}), x);
  EXPECT_EQ(resolve_uri("model://bot/meshes/x.stl", folder, {}), x);
  EXPECT_EQ(resolve_uri("../meshes/x.stl", folder / "bot" / "urdf", {}), x);
  EXPECT_EQ(resolve_uri("file://" + x, ".", {}), x);
  EXPECT_EQ(resolve_uri("package://arm/y.stl", folder, {}), std::nullopt);
  EXPECT_EQ(resolve_uri("package://arm/y.stl", folder, {(folder / "share").string()}), y);
  EXPECT_EQ(resolve_uri("package://arm/y.stl", folder, {(folder / "share" / "arm").string() + "/"}), y);
  setenv("AMENT_PREFIX_PATH", folder.c_str(), 1);
  EXPECT_EQ(resolve_uri("package://arm/y.stl", folder, {}), y);
  unsetenv("AMENT_PREFIX_PATH");
  EXPECT_EQ(resolve_uri("package://", folder, {}), std::nullopt);
  EXPECT_EQ(resolve_uri("package://arm//", folder, {}), std::nullopt);
}

}  // namespace
}  // namespace stickslip
