#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "stickslip/base/temporary_folder.h"
#include "stickslip/scene/urdf.h"
#include "stickslip/scene/urdf_files.h"

// Defects that files in use have: the robot loads, and a warning says what was assumed.
namespace stickslip {
namespace {

namespace fs = std::filesystem;

using testing::Contains;
using testing::Field;
using testing::IsEmpty;
using testing::Not;

Scene read(const std::string& inside, BaseType base = BaseType::kFixed, const std::string& folder = ".") {
  LoadOptions options;
  options.base = base;
  return read_urdf_string("<robot>" + inside + "</robot>", folder, options);
}

auto has_warning(const std::string& code) { return Contains(Field(&Warning::code, code)); }

std::string link(const std::string& name, const std::string& inside) {
  return "<link name='" + name + "'>" + inside + "</link>";
}

std::string shape(const std::string& text) { return "<collision><geometry>" + text + "</geometry></collision>"; }

std::string hinge(const std::string& parent, const std::string& child) {
  return "<joint name='" + child + "_joint' type='continuous'><parent link='" + parent + "'/><child link='" + child +
         "'/></joint>";
}

std::string inertia(const std::string& xx, const std::string& yy, const std::string& zz) {
  return "<inertial><mass value='1'/><inertia ixx='" + xx + "' iyy='" + yy + "' izz='" + zz + "'/></inertial>";
}

TEST(UrdfDefects, ShapesWithoutSizeOrGeometryAreLeftOut) {
  for (const std::string text : {"<sphere radius='0'/>", "<box size='1 0 1'/>", "<cylinder radius='1' length='0'/>",
                                 "<mesh filename='x.stl' scale='1 0 1'/>"}) {
    const Scene scene = read(link("a", shape(text)));
    EXPECT_THAT(scene.bodies[0].geometry, IsEmpty()) << text;
    EXPECT_THAT(scene.warnings, has_warning("zero-size")) << text;
  }
  EXPECT_THAT(read(link("a", shape(""))).warnings, has_warning("missing-geometry"));
  EXPECT_THAT(read(link("a", shape("<cdf filename='x'/>"))).warnings, has_warning("unknown-shape"));
}

TEST(UrdfDefects, PlanesAndSphericalJointsOfBulletAreRead) {
  const Scene plane = read(link("a", shape("<plane normal='1 0 0'/>")));
  const Geometry& geometry = plane.bodies[0].geometry.at(0);
  EXPECT_TRUE(std::holds_alternative<HalfSpace>(geometry.shape));
  EXPECT_TRUE(geometry.pose.rotation.col(2).isApprox(Vector3d::UnitX()));
  const Scene ball = read(link("a", "") + link("b", inertia("1", "1", "1")) +
                          "<joint name='j' type='spherical'><parent link='a'/><child link='b'/></joint>");
  EXPECT_EQ(ball.joints[0].type, JointType::kBall);
}

// 1, 1 and -1 become 1, 1 and 0: the nearest moments that are none negative, and 1 <= 1 + 0. Of 1, 1 and 5 the excess
// of 3 is shared.
TEST(UrdfDefects, InertiasOfNoMatterBecomeTheNearestThatItCanHave) {
  const Scene negative = read(link("a", inertia("1", "-1", "1")));
  EXPECT_TRUE(negative.bodies[0].inertia.inertia.isApprox(Vector3d(1, 0, 1).asDiagonal().toDenseMatrix()));
  EXPECT_THAT(negative.warnings, has_warning("repaired-inertia"));
  const Scene uneven = read(link("a", inertia("1", "1", "5")));
  EXPECT_TRUE(uneven.bodies[0].inertia.inertia.isApprox(Vector3d(2, 2, 4).asDiagonal().toDenseMatrix()));
  EXPECT_THAT(uneven.warnings, has_warning("repaired-inertia"));
}

TEST(UrdfDefects, WhatMovesWithoutAnyMassGetsThatOfItsShapes) {
  const std::string box = shape("<box size='1 2 3'/>");
  const std::string robot = link("base", box) + link("arm", box) + link("hand", box) + hinge("base", "arm") +
                            "<joint name='f' type='fixed'><parent link='arm'/><child link='hand'/></joint>";
  const Scene fixed = read(robot);
  EXPECT_EQ(fixed.bodies[0].inertia.mass, 0);  // it does not move
  EXPECT_DOUBLE_EQ(fixed.bodies[1].inertia.mass, 6000);
  EXPECT_DOUBLE_EQ(fixed.bodies[2].inertia.mass, 6000);
  EXPECT_DOUBLE_EQ(fixed.bodies[1].inertia.inertia(0, 0), 6000.0 * (4 + 9) / 12);
  EXPECT_THAT(fixed.warnings, has_warning("inferred-inertial"));
  EXPECT_DOUBLE_EQ(read(robot, BaseType::kFloating).bodies[0].inertia.mass, 6000);
}

TEST(UrdfDefects, NothingIsMendedWhereThatIsAsked) {
  LoadOptions options;
  options.repair = false;
  const std::string text = "<robot>" + link("a", "") + link("b", inertia("1", "-1", "1")) +
                           link("c", shape("<sphere radius='1'/>")) + hinge("a", "b") + hinge("a", "c") + "</robot>";
  const Scene scene = read_urdf_string(text, ".", options);
  EXPECT_EQ(scene.bodies[1].inertia.inertia(1, 1), -1);
  EXPECT_EQ(scene.bodies[2].inertia.mass, 0);
  EXPECT_THAT(scene.warnings, has_warning("unphysical-inertia"));
}

// Isaac Gym's objects say what they are made of, and not what they weigh.
TEST(UrdfDefects, InertialsWithoutMassCountAsNone) {
  const std::string box = shape("<box size='1 2 3'/>");
  const Scene water = read(link("a", "<inertial/>" + box), BaseType::kFloating);
  EXPECT_DOUBLE_EQ(water.bodies[0].inertia.mass, 6000);
  EXPECT_THAT(water.warnings, has_warning("incomplete-inertial"));
  const Scene wood = read(link("a", "<inertial><density value='500'/></inertial>" + box), BaseType::kFloating);
  EXPECT_DOUBLE_EQ(wood.bodies[0].inertia.mass, 3000);
  EXPECT_THAT(wood.warnings, has_warning("inferred-inertial"));
}

TEST(UrdfDefects, AMassWithoutInertiaIsSpreadOverTheShapes) {
  const std::string mass = "<inertial><origin xyz='0 0 5'/><mass value='12'/></inertial>";
  const Scene box = read(link("a", mass + shape("<box size='1 2 3'/>")));
  EXPECT_DOUBLE_EQ(box.bodies[0].inertia.mass, 12);
  EXPECT_DOUBLE_EQ(box.bodies[0].inertia.inertia(0, 0), 4 + 9);
  EXPECT_THAT(box.warnings, has_warning("incomplete-inertial"));
  const Scene point = read(link("a", mass));
  EXPECT_EQ(point.bodies[0].inertia.center, Vector3d(0, 0, 5));
  EXPECT_TRUE(point.bodies[0].inertia.inertia.isZero());
}

TEST(UrdfDefects, OfTwoInertialsTheFirstCounts) {
  const Scene scene = read(link("a", inertia("1", "1", "1") + inertia("3", "3", "3")));
  EXPECT_EQ(scene.bodies[0].inertia.inertia(0, 0), 1);
  EXPECT_THAT(scene.warnings, has_warning("two-inertials"));
}

// About the x axis, the default: only the second link, whose mass is off it, can be turned as it is written.
TEST(UrdfDefects, PointMassesThatTurnAboutThemselvesAreSpreadOverTheirShapes) {
  const auto point = [](const std::string& place) {
    return "<inertial><origin xyz='" + place + "'/><mass value='12'/><inertia ixx='0' iyy='0' izz='0'/></inertial>" +
           shape("<box size='1 2 3'/>");
  };
  const Scene scene = read(link("base", "") + link("on", point("4 0 0")) + link("off", point("0 0.1 0")) +
                           hinge("base", "on") + hinge("base", "off"));
  EXPECT_DOUBLE_EQ(scene.bodies[1].inertia.inertia(0, 0), 4 + 9);
  EXPECT_TRUE(scene.bodies[2].inertia.inertia.isZero());
  EXPECT_THAT(scene.warnings, has_warning("inferred-inertial"));
}

TEST(UrdfDefects, JointsThatMoveNothingGetAnArmature) {
  const std::string robot = link("base", "") + link("frame", "") + link("tip", "") +
                            link("hand", inertia("1", "1", "1")) + hinge("base", "frame") + hinge("frame", "tip") +
                            hinge("base", "hand");
  const Scene scene = read(robot);
  EXPECT_EQ(scene.joints[0].armature, 1e-3);
  EXPECT_EQ(scene.joints[1].armature, 1e-3);
  EXPECT_EQ(scene.joints[2].armature, 0);
  EXPECT_THAT(scene.warnings, has_warning("massless-joint"));
  LoadOptions as_written;
  as_written.repair = false;
  EXPECT_EQ(read_urdf_string("<robot>" + robot + "</robot>", ".", as_written).joints[0].armature, 0);
}

TEST(UrdfDefects, JointsMayHangOnAWorldWithoutLink) {
  const Scene scene = read(link("arm", inertia("1", "1", "1")) + hinge("world", "arm"));
  EXPECT_EQ(scene.joints.at(0).parent, "world");
  EXPECT_EQ(scene.bodies.size(), 1u);
  EXPECT_THAT(scene.warnings, has_warning("implied-world"));
}

TEST(UrdfDefects, CallsOfMacrosAreLeftOutOfWhatIsWholeWithoutThem) {
  const Scene scene = read(link("a", "") + "<xacro:gazebo_plugin name='a'/>");
  EXPECT_EQ(scene.bodies.size(), 1u);
  EXPECT_THAT(scene.warnings, has_warning("unexpanded-macro"));
}

// A link that carries mass needs none of its own.
TEST(UrdfDefects, LinksThatCarryMassKeepNone) {
  const Scene scene = read(link("base", "") + link("arm", shape("<sphere radius='1'/>")) +
                           link("hand", inertia("1", "1", "1")) + hinge("base", "arm") + hinge("arm", "hand"));
  EXPECT_EQ(scene.bodies[1].inertia.mass, 0);
  EXPECT_THAT(scene.warnings, Not(has_warning("inferred-inertial")));
  EXPECT_THAT(scene.warnings, has_warning("no-inertial"));
}

class Packages : public testing::Test {
 protected:
  std::string add(const std::string& file, const std::string& text = "") {
    const fs::path path = folder() / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.lexically_normal().string();
  }
  fs::path folder() const { return fs::canonical(folder_.path()); }

 private:
  TemporaryFolder folder_;
};

TEST_F(Packages, APackageIsKnownByItsManifestWhateverItsFolder) {
  const std::string mesh = add("checkout-1.2/meshes/x.stl");
  add("checkout-1.2/package.xml", "<package><name>bot</name></package>");
  add("checkout-1.2/urdf/bot.urdf");
  add("other/urdf/bot.urdf");
  EXPECT_EQ(resolve_uri("package://bot/meshes/x.stl", folder() / "checkout-1.2" / "urdf", {}), mesh);
  EXPECT_EQ(resolve_uri("package://bot/meshes/x.stl", folder() / "other" / "urdf", {}), mesh);
  EXPECT_EQ(resolve_uri("package://cat/meshes/x.stl", folder() / "other" / "urdf", {}), std::nullopt);
}

TEST_F(Packages, SlashesMayBeManyOrTheOtherWay) {
  const std::string mesh = add("bot/meshes/x.stl");
  EXPECT_EQ(resolve_uri("package:///bot/meshes/x.stl", folder(), {}), mesh);
  EXPECT_EQ(resolve_uri("package://bot\\meshes\\x.stl", folder(), {}), mesh);
  EXPECT_EQ(resolve_uri("file://" + mesh, "/", {}), mesh);
}

TEST_F(Packages, AFileThatIsNotThereIsGuessedByTheEndOfItsPath) {
  const std::string mesh = add("robot/meshes/x.stl");
  const fs::path urdf = folder() / "robot" / "urdf";
  fs::create_directories(urdf);
  EXPECT_EQ(guess_file("package://someones_robot/meshes/x.stl", urdf), mesh);
  EXPECT_EQ(guess_file("file:///home/someone/robot/meshes/x.stl", urdf), mesh);
  EXPECT_EQ(guess_file("package://someones_robot/meshes/y.stl", urdf), std::nullopt);
  const Scene scene = read(link("a", shape("<mesh filename='package://someones_robot/meshes/x.stl'/>")),
                           BaseType::kFixed, urdf.string());
  EXPECT_THAT(scene.warnings, has_warning("guessed-mesh"));
  EXPECT_THAT(scene.warnings, has_warning("bad-mesh"));  // it is empty
}

constexpr const char* kOpen = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";

// What moves without mass is filled with water; how much a mesh with a hole holds is not certain.
TEST_F(Packages, MassOfAMeshWithHolesIsReported) {
  add("open.obj", kOpen);
  add("closed.obj", std::string(kOpen) + "f 2 3 4\n");
  const auto warnings = [&](const std::string& mesh) {
    return read(link("a", shape("<mesh filename='" + mesh + "'/>")), BaseType::kFloating, folder().string()).warnings;
  };
  EXPECT_THAT(warnings("open.obj"), has_warning("open-mesh"));
  EXPECT_THAT(warnings("closed.obj"), Not(has_warning("open-mesh")));
}

// The files of most robots are drawn for programs that pass over <up_axis>.
TEST_F(Packages, AMeshThatSaysYIsUpIsTurnedIfAskedAndOtherwiseSaidOnce) {
  const std::string dae =
      "<COLLADA><asset><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id='g'><mesh><source id='s'>"
      "<float_array>0 0 0 1 0 0 0 2 0 0 0 3</float_array></source><vertices id='v'><input semantic='POSITION' "
      "source='#s'/></vertices><triangles><input semantic='VERTEX' source='#v' offset='0'/><p>0 2 1 0 1 3 0 3 2 1 2 3"
      "</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene><node>"
      "<instance_geometry url='#g'/></node></visual_scene></library_visual_scenes></COLLADA>";
  add("a.dae", dae);
  add("b.dae", dae);
  const std::string robot = link("a", shape("<mesh filename='a.dae'/>") + shape("<mesh filename='b.dae'/>"));
  const Scene scene = read(robot, BaseType::kFixed, folder().string());
  EXPECT_EQ(std::get<ConvexMesh>(scene.bodies[0].geometry.at(0).shape).mesh->vertices[3], Vector3d(0, 0, 3));
  const auto is_up_axis = [](const Warning& w) { return w.code == "up-axis"; };
  EXPECT_EQ(std::count_if(scene.warnings.begin(), scene.warnings.end(), is_up_axis), 1);
  LoadOptions options;
  options.honour_up_axis = true;
  const Scene turned = read_urdf_string("<robot>" + robot + "</robot>", folder().string(), options);
  EXPECT_EQ(std::get<ConvexMesh>(turned.bodies[0].geometry.at(0).shape).mesh->vertices[3], Vector3d(0, -3, 0));
  EXPECT_THAT(turned.warnings, Not(has_warning("up-axis")));
}

}  // namespace
}  // namespace stickslip
