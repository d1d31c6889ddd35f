#include "stickslip/convert/write_yaml.h"

#include <gtest/gtest.h>

#include "stickslip/scene/reader.h"

namespace stickslip {
namespace {

Scene read(const std::string& yaml) { return read_scene_string(yaml, SceneFormat::kYaml); }

// Two thirds of a scene file's words; what is written is what was read.
constexpr const char* kScene = R"(name: everything
gravity: [0, 0, -1.62]
filter_parent_child: false
materials:
  rubber: {stiffness: 100000, dissipation: 0.3, friction: {static: 1, dynamic: 0.8}, stiction_tolerance: 0.001}
  granite: {stiffness: .inf, relaxation_time: 0.01}
bodies:
  - name: base
    fixed: true
    pose: {position: [0, 0, 0.1]}
    geometry:
      - {half_space: {}, material: granite}
      - {box: {size: [1, 1, 0.1]}, surface_velocity: [0.5, 0, 0], contype: 2, conaffinity: 3, color: [1, 0, 0]}
      - {height_field: {size: [4, 4], thickness: 0.2, heights: [[0, 0.1], [0.2, 0.3]]}, visible: false, group: 4}
  - name: arm
    mass: 0.3
    center: [0.1, 0, 0]
    inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1, iyz: 0.01}
    gravity_scale: 0.5
    geometry: [{capsule: {radius: 0.1, length: 0.3}, name: tip, collides: false}]
  - name: ball
    mass: 1
    inertia: {ixx: 1, iyy: 1, izz: 1}
    pose: {position: [1, 2, 3], quaternion: [0.5, 0.5, 0.5, 0.5]}
    velocity: {linear: [1, 0, 0], angular: [0, 2, 0]}
    geometry: [{sphere: {radius: 0.1}, name: pad, material: rubber}]
  - name: shaker
    motion: {axis: [0, 1, 0], amplitude: 0.1, frequency: 2, phase: 0.3}
joints:
  - name: hinge
    type: revolute
    parent: base
    child: arm
    pose: {position: [0, 0, 0.2]}
    axis: [0, 1, 0]
    position: 0.3
    damping: 0.1
    stiffness: 2
    spring_reference: 0.1
    limits: {lower: -1, upper: 1, velocity: 3, effort: 4}
tendons:
  - {name: cable, joints: {hinge: 0.05}, stiffness: 10, rest: {lower: 0, upper: 0.01}, limits: {upper: 0.1}}
actuators:
  - {name: servo, joint: hinge, type: position, kp: 10, kd: 1, effort_limit: 5, control: 0.3}
  - {name: pull, tendon: cable, type: general, gain: [1, 2, 3], bias: [4, 5, 6], gear: 2, control_limits: {lower: 0}}
constraints:
  - {name: rope, type: distance, body_a: ball, length: 4, stiffness: 10, dissipation: 1}
  - {type: weld, active: false, body_a: ball, rotational_stiffness: 3, rotational_dissipation: 0.2}
  - {type: coupler, active: false, joint_a: hinge, coefficients: [0.1]}
frames:
  - {name: tool, body: arm, pose: {position: [0.3, 0, 0]}}
contact_pairs:
  - {geometry_a: tip, geometry_b: pad, material: rubber}
exclusions:
  - {body_a: base, body_b: ball}
keyframes:
  - {name: home, q: [0.5, 1, 2, 3, 1, 0, 0, 0]}
simulation: {method: lagged, time_step: 0.001, until: 2}
)";

TEST(WriteYaml, WritesWhatWasRead) {
  const Converted result = write_yaml(read(kScene), "assets");
  EXPECT_EQ(result.text, kScene);
  EXPECT_TRUE(result.notes.empty());
  EXPECT_TRUE(result.files.empty());
}

TEST(WriteYaml, MakesLargeHeightFieldsFiles) {
  Scene scene;
  auto grid = std::make_shared<HeightGrid>(HeightGrid{20, 10, std::vector<double>(200, 0.1)});
  scene.bodies.push_back({.name = "hill", .fixed = true, .geometry = {{.shape = HeightField{grid, {1, 1, 1}}}}});
  const Converted result = write_yaml(scene, "assets");
  ASSERT_EQ(result.files.size(), 1u);
  EXPECT_EQ(result.files[0].name, "assets/heights.csv");
  EXPECT_EQ(result.files[0].bytes.substr(0, 40), "0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1,0.1\n");
}

// A robot's base link is often without matter, which hangs on it by a fixed joint.
TEST(WriteYaml, KeepsAFreeBodyWithoutMatterThatCarriesSome) {
  const std::string text = R"(name: robot
bodies:
  - name: base
    mass: 0
  - name: trunk
    mass: 1
    inertia: {ixx: 1, iyy: 1, izz: 1}
joints:
  - {name: root_joint, type: free, child: base}
  - {name: weld, type: fixed, parent: base, child: trunk}
)";
  EXPECT_EQ(write_yaml(read(text), "").text, text);
}

TEST(WriteYaml, OfNothingCanBeRead) { EXPECT_TRUE(read(write_yaml(Scene(), "").text).bodies.empty()); }

}  // namespace
}  // namespace stickslip
