#include "stickslip/convert/write_mjcf.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stickslip/scene/reader.h"

namespace stickslip {
namespace {

Converted converted(const std::string& yaml) {
  return write_mjcf(read_scene_string(yaml, SceneFormat::kYaml), "assets");
}

bool has_note(const Converted& result, const std::string& code) {
  return std::any_of(result.notes.begin(), result.notes.end(), [&](const Warning& note) { return note.code == code; });
}

// Our own reader as a second pair of eyes; MuJoCo's own are in tests/test_convert_mjcf.py.
TEST(WriteMjcf, KeepsMatterExactly) {
  const Converted result = converted(R"(
bodies:
  - {name: a, mass: 0.1, center: [0.3, 0, 0.7], inertia: {ixx: 0.11, iyy: 0.12, izz: 0.13, ixy: 0.01, ixz: -0.02, iyz: 0.03}}
  - {name: b, mass: 1, inertia: {ixx: 0.1, iyy: 0.2, izz: 0.3}, gravity_scale: 0.25}
)");
  const Scene back = read_scene_string(result.text, SceneFormat::kMjcf);
  EXPECT_EQ(back.bodies[0].inertia.mass, 0.1);
  EXPECT_EQ(back.bodies[0].inertia.center, Vector3d(0.3, 0, 0.7));
  // MuJoCo's principal axes are found by rotations, here as there.
  EXPECT_NEAR(back.bodies[0].inertia.inertia(0, 2), -0.02, 1e-15);
  EXPECT_EQ(back.bodies[1].inertia.inertia.diagonal(), Vector3d(0.1, 0.2, 0.3));
  EXPECT_EQ(back.bodies[1].gravity_scale, 0.25);
  EXPECT_TRUE(result.notes.empty());
}

// YAML has them, XML has not; what names each other still does.
TEST(WriteMjcf, NamesWithControlCharactersCanBeRead) {
  const Converted result = converted(R"(
name: "sc\eene"
bodies: [{name: "a\x01", mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}}, {name: "a\x02", mass: 2, inertia: {ixx: 1, iyy: 1, izz: 1}}]
joints: [{name: "j\f", type: revolute, child: "a\x02"}]
actuators: [{name: m, type: motor, joint: "j\f"}]
)");
  const Scene back = read_scene_string(result.text, SceneFormat::kMjcf);
  ASSERT_EQ(back.bodies.size(), 2u);
  EXPECT_EQ(back.bodies[0].name, "a_x01_");
  EXPECT_EQ(back.bodies[1].name, "a_x02_");
  EXPECT_EQ(back.actuators[0].joint, "j_x0c_");
  EXPECT_TRUE(has_note(result, "renamed"));
}

TEST(WriteMjcf, LeavesMuJoCosContactParametersAlone) {
  const std::string geom =
      R"(<geom name="g" type="sphere" size="0.1" condim="4" friction="0.3 0.01 0.02" solref="0.03 0.7" solimp="0.5 0.8 0.01 0.4 3" margin="0.01"/>)";
  const Scene scene = read_scene_string("<mujoco><worldbody><body><freejoint/>" + geom + "</body></worldbody></mujoco>",
                                        SceneFormat::kMjcf);
  const Scene back = read_scene_string(write_mjcf(scene, "").text, SceneFormat::kMjcf);
  const MjcfContact &a = *scene.materials[0].mjcf, &b = *back.materials[0].mjcf;
  EXPECT_EQ(a.condim, b.condim);
  EXPECT_EQ(a.friction, b.friction);
  EXPECT_EQ(a.solref, b.solref);
  EXPECT_EQ(a.solimp, b.solimp);
  EXPECT_EQ(a.margin, b.margin);
}

// The base of a robot does not collide with what it carries, in MuJoCo neither.
TEST(WriteMjcf, ExcludesAFixedBaseAndItsFirstLink) {
  const Converted result = converted(R"(
bodies:
  - {name: base, fixed: true, geometry: [{sphere: {radius: 1}}]}
  - {name: arm, mass: 1, geometry: [{sphere: {radius: 1}}]}
joints: [{name: hinge, type: revolute, parent: base, child: arm}]
)");
  EXPECT_NE(result.text.find(R"(<exclude body1="base" body2="arm" />)"), std::string::npos);
}

TEST(WriteMjcf, ReturnsMeshesAsFiles) {
  Scene scene;
  scene.file = "scene.yaml";
  auto mesh = std::make_shared<Mesh>(Mesh{"foot.stl", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}}});
  scene.world_geometry.push_back({.shape = ConvexMesh{mesh}});
  scene.world_geometry.push_back({.shape = ConvexMesh{mesh}, .pose = Pose::at({1, 0, 0})});
  const Converted result = write_mjcf(scene, "robot_assets");
  ASSERT_EQ(result.files.size(), 1u);
  EXPECT_EQ(result.files[0].name, "robot_assets/foot.obj");
  EXPECT_NE(result.text.find(R"(file="robot_assets/foot.obj")"), std::string::npos);
  EXPECT_TRUE(has_note(result, "contact-units"));
}

TEST(WriteMjcf, OfNothingIsAnEmptyModel) {
  const Converted result = write_mjcf(Scene(), "");
  EXPECT_TRUE(result.notes.empty());
  EXPECT_TRUE(read_scene_string(result.text, SceneFormat::kMjcf).bodies.empty());
}

}  // namespace
}  // namespace stickslip
