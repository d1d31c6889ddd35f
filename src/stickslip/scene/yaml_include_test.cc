#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "stickslip/base/temporary_folder.h"
#include "stickslip/scene/yaml.h"

namespace stickslip {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A folder of its own for each test, gone afterwards.
class YamlInclude : public testing::Test {
 protected:
  YamlInclude() { std::filesystem::create_directories(folder_ / "parts"); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  ModelError error_of(const std::string& file) const {
    try {
      read_yaml(file);
    } catch (const ModelError& e) {
      return e;
    }
    ADD_FAILURE() << "no error";
    return ModelError("none", {}, "");
  }

  TemporaryFolder temporary_;
  std::filesystem::path folder_ = temporary_.path();
};

constexpr const char* kArm = R"(
<robot name="arm">
  <link name="base"/>
  <link name="rod"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="elbow" type="continuous"><parent link="base"/><child link="rod"/></joint>
</robot>)";

TEST_F(YamlInclude, RobotIsPlacedPrefixedAndPosed) {
  write("parts/arm.urdf", kArm);
  const Scene scene = read_yaml(write("scene.yaml", R"(
materials: {rubber: {friction: 1}}
include:
  - {file: parts/arm.urdf, prefix: left_, pose: {position: [0, 1, 0]}, material: rubber, joints: {elbow: 0.3}}
  - {file: parts/arm.urdf, prefix: right_, base: floating, pose: {position: [0, 0, 2]}}
)"));
  ASSERT_EQ(scene.bodies.size(), 4u);
  EXPECT_EQ(scene.bodies[0].name, "left_base");
  EXPECT_TRUE(scene.bodies[0].fixed);
  EXPECT_EQ(scene.bodies[0].pose.position, Vector3d(0, 1, 0));
  EXPECT_EQ(scene.bodies[1].geometry[0].material, "rubber");
  EXPECT_EQ(scene.joints[0].name, "left_elbow");
  EXPECT_EQ(scene.joints[0].parent, "left_base");
  EXPECT_THAT(scene.joints[0].position, ElementsAre(0.3));
  EXPECT_FALSE(scene.bodies[2].fixed);
  EXPECT_EQ(scene.joints[1].type, JointType::kFree);
  EXPECT_EQ(scene.joints[1].parent, kWorld);
  EXPECT_THAT(scene.joints[1].position, ElementsAre(0, 0, 2, 1, 0, 0, 0));
}

TEST_F(YamlInclude, EverythingThatStandsInTheWorldMovesAlong) {
  write("parts/part.yaml", R"(
bodies:
  - {name: free, mass: 1, velocity: {linear: [1, 0, 0]}, geometry: [{sphere: {radius: 1}}]}
  - {name: swing, mass: 1}
  - {name: drone, mass: 1, pose: {position: [2, 0, 0]}, geometry: [{sphere: {radius: 1}}]}
joints:
  - {name: j, type: revolute, child: swing, pose: {position: [1, 0, 0]}}
  - {name: k, type: free, child: drone}
frames: [{name: f}, {name: g, body: free}]
constraints: [{type: ball, body_a: swing}]
)");
  const Scene scene = read_yaml(write("scene.yaml", R"(
include: [{file: parts/part.yaml, prefix: p_, pose: {position: [0, 0, 1], rpy: [0, 0, 1.5707963267948966]}}]
)"));
  const Vector3d up(0, 0, 1);
  EXPECT_TRUE(scene.bodies[0].pose.position.isApprox(up));
  EXPECT_TRUE(scene.bodies[0].linear_velocity.isApprox(Vector3d::UnitY()));
  EXPECT_TRUE(scene.joints[0].pose.position.isApprox(Vector3d(0, 1, 1)));
  const std::vector<double>& q = scene.joints[1].position;
  EXPECT_TRUE(Vector3d(q[0], q[1], q[2]).isApprox(Vector3d(0, 2, 1)));
  EXPECT_TRUE(scene.frames[0].pose.position.isApprox(up));
  EXPECT_TRUE(scene.frames[1].pose.position.isZero());
  EXPECT_EQ(scene.frames[1].body, "p_free");
  EXPECT_TRUE(scene.constraints[0].pose_b.position.isApprox(up));
  EXPECT_EQ(scene.constraints[0].body_b, kWorld);
}

TEST_F(YamlInclude, AJointOfTheSceneCarriesAnIncludedRobot) {
  write("parts/arm.urdf", kArm);
  const std::string cart = R"(
bodies: [{name: cart, mass: 1, geometry: [{box: {size: [1, 1, 1]}}]}]
joints: [{name: mount, type: fixed, parent: cart, child: r_base}]
include: [{file: parts/arm.urdf, prefix: r_)";
  const Scene scene = read_yaml(write("scene.yaml", cart + "}]"));
  EXPECT_FALSE(scene.bodies[1].fixed);
  EXPECT_EQ(error_of(write("scene.yaml", cart + ", pose: {position: [1, 0, 0]}}]")).code(), "two-motions");
}

TEST_F(YamlInclude, PathsAreRelativeToTheIncludingFile) {
  write("parts/table.csv", "time,position\n0,0\n# half a second later\n0.5, 1e-1\n");
  write("parts/shaker.yaml", "bodies: [{name: s, motion: {table: table.csv}}]");
  write("parts/all.yaml", "include: [{file: shaker.yaml, prefix: b_}]");
  const Scene scene = read_yaml(write("scene.yaml", "include: [{file: parts/all.yaml, prefix: a_}]"));
  EXPECT_EQ(scene.bodies[0].name, "a_b_s");
  EXPECT_THAT(scene.bodies[0].motion->values, ElementsAre(0, 0.1));
}

TEST_F(YamlInclude, AFileThatIncludesItselfIsAnError) {
  write("parts/b.yaml", "include: [{file: ../scene.yaml}]");
  const ModelError e = error_of(write("scene.yaml", "include: [{file: parts/b.yaml}]"));
  EXPECT_EQ(e.code(), "include-cycle");
  EXPECT_THAT(e.where().file, HasSubstr("b.yaml"));
  EXPECT_EQ(e.where().line, 1);
}

TEST_F(YamlInclude, TwoCopiesNeedAPrefix) {
  write("parts/arm.urdf", kArm);
  const ModelError e = error_of(write("scene.yaml", "include: [{file: parts/arm.urdf}, {file: parts/arm.urdf}]"));
  EXPECT_EQ(e.code(), "duplicate-name");
  EXPECT_THAT(e.fix(), HasSubstr("prefix"));
}

TEST_F(YamlInclude, MistakesPointAtTheIncludingLine) {
  write("parts/arm.urdf", kArm);
  const ModelError missing = error_of(write("scene.yaml", "include:\n  - {file: arm.urdf}\n"));
  EXPECT_EQ(missing.code(), "no-such-file");
  EXPECT_EQ(missing.where().line, 2);
  EXPECT_EQ(error_of(write("scene.yaml", "include: [{file: " + std::string(5000, 'x') + "}]")).code(), "no-such-file");
  const ModelError joint = error_of(write("scene.yaml", "include: [{file: parts/arm.urdf, joints: {elbo: 1}}]"));
  EXPECT_EQ(joint.code(), "unknown-joint");
  EXPECT_THAT(joint.fix(), HasSubstr("'elbow'"));
  EXPECT_EQ(error_of(write("scene.yaml", "include: [{file: parts/arm.urdf, base: loose}]")).code(), "bad-value");
  EXPECT_EQ(error_of(write("scene.yaml", "include: [{file: parts/arm.urdf, material: m}]")).code(), "unknown-material");
}

TEST_F(YamlInclude, GravityOfAPartIsReported) {
  write("parts/moon.yaml", "gravity: [0, 0, -1.62]");
  const Scene scene = read_yaml(write("scene.yaml", "include: [{file: parts/moon.yaml}]"));
  EXPECT_EQ(scene.gravity.z(), -9.81);
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_EQ(scene.warnings[0].code, "include-gravity");
}

}  // namespace
}  // namespace stickslip
