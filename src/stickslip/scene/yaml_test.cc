#include "stickslip/scene/yaml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "stickslip/base/temporary_folder.h"

namespace stickslip {
namespace {

using testing::ElementsAre;

Scene read(const std::string& text) { return read_yaml_string(text, "."); }

TEST(Yaml, EverySectionMayBeLeftOut) {
  const Scene scene = read("name: nothing");
  EXPECT_EQ(scene.name, "nothing");
  EXPECT_TRUE(scene.bodies.empty());
  EXPECT_EQ(scene.gravity, Vector3d(0, 0, -9.81));
}

TEST(Yaml, MaterialKeepsPhysicalUnitsAndMayBeRigid) {
  const Scene scene = read(R"(
materials:
  steel: {stiffness: .inf, friction: 0.3, relaxation_time: 0.01}
  rubber: {stiffness: 1e5, dissipation: 20, friction: {static: 1.0, dynamic: 0.8}, stiction_tolerance: 1.0e-3}
)");
  ASSERT_EQ(scene.materials.size(), 2u);
  EXPECT_EQ(scene.materials[0].name, "steel");
  EXPECT_EQ(scene.materials[0].stiffness, kInfinity);
  EXPECT_EQ(scene.materials[0].static_friction, 0.3);
  EXPECT_EQ(scene.materials[0].dynamic_friction, 0.3);
  EXPECT_EQ(scene.materials[0].relaxation_time, 0.01);
  EXPECT_EQ(scene.materials[1].stiffness, 1e5);
  EXPECT_EQ(scene.materials[1].dissipation, 20);
  EXPECT_EQ(scene.materials[1].static_friction, 1);
  EXPECT_EQ(scene.materials[1].dynamic_friction, 0.8);
  EXPECT_EQ(scene.materials[1].stiction_tolerance, 1e-3);
}

TEST(Yaml, DensityGivesMassOfTheGeometry) {
  const Scene scene = read(
      "bodies: [{name: b, density: 500, geometry: [{box: {size: [1, 2, 3]}, "
      "pose: {position: [0, 0, 1]}}]}]");
  const MassProperties& m = scene.bodies[0].inertia;
  EXPECT_DOUBLE_EQ(m.mass, 3000);
  EXPECT_EQ(m.center, Vector3d(0, 0, 1));
  EXPECT_NEAR(m.inertia(0, 0), 3000 * (4 + 9) / 12.0, 1e-9);
}

TEST(Yaml, MassWithoutInertiaTakesTheShapeOfTheGeometry) {
  const Scene scene = read(
      "bodies: [{name: b, mass: 2, geometry: [{sphere: {radius: 0.5}}, {half_space: {}, "
      "collides: false}]}]");
  const MassProperties& m = scene.bodies[0].inertia;
  EXPECT_EQ(m.mass, 2);
  EXPECT_NEAR(m.inertia(1, 1), 0.4 * 2 * 0.25, 1e-15);
}

TEST(Yaml, GeometryForTheEyeHasNoMassWhereAnotherCollides) {
  const Scene scene = read(
      "bodies: [{name: b, density: 1, geometry: [{box: {size: [1, 1, 1]}}, "
      "{box: {size: [5, 5, 5]}, collides: false}]}]");
  EXPECT_DOUBLE_EQ(scene.bodies[0].inertia.mass, 1);
}

TEST(Yaml, PointMassOnAHingeIsLegal) {
  const Scene scene = read(R"(
bodies: [{name: bob, mass: 1, center: [0, 0, -1]}]
joints: [{name: hinge, type: revolute, child: bob, axis: [0, 2, 0]}]
)");
  EXPECT_TRUE(scene.bodies[0].inertia.inertia.isZero(0));
  EXPECT_EQ(scene.bodies[0].inertia.center, Vector3d(0, 0, -1));
  EXPECT_EQ(scene.joints[0].axis, Vector3d::UnitY());
}

TEST(Yaml, InertiaIsAboutTheCentreInBodyAxes) {
  const Scene scene = read(R"(
bodies:
  - {name: b, mass: 2, center: [1, 0, 0], inertia: {ixx: 0.2, iyy: 0.3, izz: 0.4, ixy: 0.01, ixz: 0.02, iyz: -0.03}}
)");
  const Matrix3d& I = scene.bodies[0].inertia.inertia;
  EXPECT_EQ(I(0, 1), 0.01);
  EXPECT_EQ(I(2, 0), 0.02);
  EXPECT_EQ(I(1, 2), -0.03);
  EXPECT_EQ(I(2, 2), 0.4);
}

TEST(Yaml, RpyTurnsAboutFixedAxesXThenYThenZ) {
  const Scene scene = read("frames: [{name: f, pose: {rpy: [1.5707963267948966, 0, 1.5707963267948966]}}]");
  // About x: z goes to -y; then about z: -y goes to x.
  EXPECT_TRUE((scene.frames[0].pose.rotation * Vector3d::UnitZ()).isApprox(Vector3d::UnitX(), 1e-15));
}

TEST(Yaml, QuaternionIsWxyzAndNormalised) {
  const Scene scene = read("frames: [{name: f, body: b, pose: {position: [1, 2, 3], quaternion: [2, 0, 0, 2]}}]");
  const Pose& pose = scene.frames[0].pose;
  EXPECT_TRUE((pose.rotation * Vector3d::UnitX()).isApprox(Vector3d::UnitY(), 1e-15));
  EXPECT_EQ(pose.position, Vector3d(1, 2, 3));
}

TEST(Yaml, EveryShapeIsRead) {
  const Scene scene = read(R"(
materials: {m: {}}
bodies:
  - name: b
    fixed: true
    geometry:
      - {sphere: {radius: 1}}
      - {box: {size: [1, 2, 3]}, material: m, surface_velocity: [1, 0, 0], color: [1, 0, 0], contype: 2, conaffinity: 4}
      - {capsule: {radius: 1, length: 2}, name: cap, group: 3, visible: false}
      - {cylinder: {radius: 1, length: 2}}
      - {ellipsoid: {radii: [1, 2, 3]}}
      - {half_space: {}}
      - half_space:
      - {height_field: {size: [4, 2], thickness: 0.5, heights: [[0, 1, 2], [3, 4, 5]]}}
)");
  const std::vector<Geometry>& g = scene.bodies[0].geometry;
  ASSERT_EQ(g.size(), 8u);
  EXPECT_EQ(std::get<Sphere>(g[0].shape).radius, 1);
  EXPECT_EQ(std::get<Box>(g[1].shape).size, Vector3d(1, 2, 3));
  EXPECT_EQ(g[1].material, "m");
  EXPECT_EQ(g[1].surface_velocity, Vector3d::UnitX());
  EXPECT_THAT(g[1].color, ElementsAre(1, 0, 0, 1));
  EXPECT_EQ(g[1].contype, 2u);
  EXPECT_EQ(g[1].conaffinity, 4u);
  EXPECT_EQ(std::get<Capsule>(g[2].shape).length, 2);
  EXPECT_EQ(g[2].name, "cap");
  EXPECT_FALSE(g[2].visible);
  EXPECT_EQ(std::get<Ellipsoid>(g[4].shape).radii, Vector3d(1, 2, 3));
  EXPECT_TRUE(std::holds_alternative<HalfSpace>(g[5].shape));
  EXPECT_TRUE(std::holds_alternative<HalfSpace>(g[6].shape));
  const HeightField& field = std::get<HeightField>(g[7].shape);
  EXPECT_EQ(field.size, Vector3d(4, 2, 0.5));
  EXPECT_EQ(field.grid->rows, 2);
  EXPECT_EQ(field.grid->columns, 3);
  EXPECT_EQ(field.grid->heights[3], 3);
}

// A colour in the scene is for the whole mesh; without it the file's colours stay.
TEST(Yaml, AColorReplacesThoseOfAMeshFile) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "t.mtl") << "newmtl red\nKd 1 0 0\n";
  std::ofstream(folder.path() / "t.obj")
      << "mtllib t.mtl\nusemtl red\nv 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const Scene scene = read_yaml_string(R"(
bodies:
  - name: b
    fixed: true
    geometry:
      - {mesh: {file: t.obj}}
      - {mesh: {file: t.obj}, color: [0, 0, 1]}
      - {mesh: {file: t.obj, convex: false}, color: [0, 0, 1]}
)",
                                       folder.path().string());
  const std::vector<Geometry>& g = scene.bodies[0].geometry;
  EXPECT_EQ(std::get<ConvexMesh>(g[0].shape).mesh->parts.size(), 1u);
  EXPECT_TRUE(std::get<ConvexMesh>(g[1].shape).mesh->parts.empty());
  EXPECT_TRUE(std::get<TriangleMesh>(g[2].shape).mesh->parts.empty());
}

TEST(Yaml, MotionIsASineAVelocityOrATable) {
  const Scene scene = read(R"(
bodies:
  - {name: a, motion: {axis: [0, 0, 2], amplitude: 0.2, frequency: 1, phase: 0.5}}
  - {name: b, motion: {velocity: 3, rotate: true}}
  - {name: c, motion: {table: [[0, 0], [1, 0.5], [2, 0]]}}
  - {name: d, mocap: true}
)");
  EXPECT_EQ(scene.bodies[0].motion->kind, Motion::Kind::kSine);
  EXPECT_EQ(scene.bodies[0].motion->axis, Vector3d::UnitZ());
  EXPECT_EQ(scene.bodies[0].motion->phase, 0.5);
  EXPECT_TRUE(scene.bodies[1].motion->rotates);
  EXPECT_EQ(scene.bodies[1].motion->velocity, 3);
  EXPECT_THAT(scene.bodies[2].motion->times, ElementsAre(0, 1, 2));
  EXPECT_THAT(scene.bodies[2].motion->values, ElementsAre(0, 0.5, 0));
  EXPECT_TRUE(scene.bodies[3].mocap);
}

TEST(Yaml, JointsOfEveryTypeAreRead) {
  const Scene scene = read(R"(
joints:
  - {name: a, type: fixed, child: a}
  - {name: b, type: free, child: b, position: [1, 2, 3, 1, 0, 0, 0]}
  - {name: c, type: ball, child: c, velocity: [1, 2, 3]}
  - {name: d, type: revolute, child: d, parent: c, position: 0.3, velocity: 1, damping: 2, stiffness: 3,
     spring_reference: 4, armature: 5, dry_friction: 6, limits: {lower: -1, upper: 1, velocity: 7, effort: 8}}
  - {name: e, type: continuous, child: e, motion: {velocity: 1}}
  - {name: f, type: prismatic, child: f, limits: {lower: 0}}
  - {name: g, type: planar, child: g, axis: [0, 1, 0], position: [1, 2, 3]}
  - {name: h, type: universal, child: h, axis: [1, 0, 0], axis2: [0, 0, 1]}
  - {name: i, type: screw, child: i, pitch: 0.01}
)");
  ASSERT_EQ(scene.joints.size(), 9u);
  EXPECT_EQ(scene.joints[0].parent, kWorld);
  EXPECT_THAT(scene.joints[1].position, ElementsAre(1, 2, 3, 1, 0, 0, 0));
  EXPECT_THAT(scene.joints[2].velocity, ElementsAre(1, 2, 3));
  const Joint& d = scene.joints[3];
  EXPECT_EQ(d.parent, "c");
  EXPECT_THAT(d.position, ElementsAre(0.3));
  EXPECT_THAT((std::vector<double>{d.damping, d.stiffness, d.spring_reference, d.armature, d.dry_friction}),
              ElementsAre(2, 3, 4, 5, 6));
  EXPECT_EQ(d.limits.lower, -1);
  EXPECT_EQ(d.velocity_limit, 7);
  EXPECT_EQ(d.effort_limit, 8);
  EXPECT_TRUE(scene.joints[4].motion.has_value());
  EXPECT_EQ(scene.joints[5].limits.upper, kInfinity);
  EXPECT_EQ(scene.joints[7].axis2, Vector3d::UnitZ());
  EXPECT_EQ(scene.joints[8].pitch, 0.01);
}

TEST(Yaml, ActuatorsBecomeGainAndBias) {
  const Scene scene = read(R"(
actuators:
  - {name: a, joint: j, type: motor, gear: 2, control: 3}
  - {name: b, joint: j, type: position, kp: 100, kd: 10, effort_limit: 5}
  - {name: c, tendon: t, type: velocity, kv: 7, control_limits: {lower: -1, upper: 2}}
  - {name: d, joint: j, type: damper, kv: 4, force_limits: {lower: -1}}
  - {name: e, joint: j, type: general, gain: [1, 2, 3], bias: [4, 5, 6]}
)");
  const std::vector<Actuator>& a = scene.actuators;
  EXPECT_EQ(a[0].gear[0], 2);
  EXPECT_EQ(a[0].control, 3);
  EXPECT_THAT(a[1].gain, ElementsAre(100, 0, 0));
  EXPECT_THAT(a[1].bias, ElementsAre(0, -100, -10));
  EXPECT_EQ(a[1].force_limits.lower, -5);
  EXPECT_THAT(a[2].gain, ElementsAre(7, 0, 0));
  EXPECT_THAT(a[2].bias, ElementsAre(0, 0, -7));
  EXPECT_EQ(a[2].control_limits.upper, 2);
  EXPECT_THAT(a[3].gain, ElementsAre(0, 0, -4));
  EXPECT_EQ(a[3].force_limits.upper, kInfinity);
  EXPECT_THAT(a[4].bias, ElementsAre(4, 5, 6));
}

TEST(Yaml, ConstraintsTendonsPairsAndExclusionsAreRead) {
  const Scene scene = read(R"(
constraints:
  - {type: weld, body_a: a, body_b: b, pose_a: {position: [1, 0, 0]}, rotational_stiffness: 7, rotational_dissipation: 0.5}
  - {type: ball, body_a: a, active: false}
  - {name: rope, type: distance, body_a: a, body_b: b, length: 1.2, stiffness: 100, dissipation: 1}
  - {type: coupler, joint_a: j, joint_b: k, coefficients: [0.1, 2]}
  - {type: coupler, tendon_a: t}
tendons: [{name: t, joints: {j: 1, k: -0.5}, stiffness: 3, rest: 0.2, limits: {upper: 1}}]
contact_pairs: [{geometry_a: g, geometry_b: h}]
exclusions: [{body_a: a, body_b: b}]
keyframes: [{name: home, q: [1, 2], time: 3}]
)");
  const std::vector<Constraint>& c = scene.constraints;
  EXPECT_EQ(c[0].pose_a.position, Vector3d::UnitX());
  EXPECT_FALSE(c[0].stiffness);
  EXPECT_EQ(c[0].rotational_stiffness, 7);
  EXPECT_EQ(c[0].rotational_dissipation, 0.5);
  EXPECT_EQ(c[1].kind, Constraint::Kind::kBall);
  EXPECT_EQ(c[1].body_b, kWorld);
  EXPECT_FALSE(c[1].active);
  EXPECT_EQ(c[2].length, 1.2);
  EXPECT_EQ(c[2].stiffness, 100);
  EXPECT_THAT(c[3].coefficients, ElementsAre(0.1, 2, 0, 0, 0));
  EXPECT_TRUE(c[4].couples_tendons);
  EXPECT_EQ(scene.tendons[0].terms[1].coefficient, -0.5);
  EXPECT_EQ(scene.tendons[0].spring_rest.lower, 0.2);
  EXPECT_EQ(scene.contact_pairs[0].geometry_b, "h");
  EXPECT_EQ(scene.contact_exclusions[0].body_a, "a");
  EXPECT_THAT(scene.keyframes[0].q, ElementsAre(1, 2));
}

TEST(Yaml, AnAliasStandsForItsValue) {
  const Scene scene = read(
      "bodies:\n  - {name: a, mass: 1, geometry: &g [{sphere: {radius: 2}}]}\n"
      "  - {name: b, mass: 1, geometry: *g}\n");
  EXPECT_EQ(std::get<Sphere>(scene.bodies[1].geometry[0].shape).radius, 2);
}

TEST(Yaml, EveryThingKnowsItsPlaceInTheFile) {
  const Scene scene = read_yaml("examples/double_pendulum.yaml");
  EXPECT_EQ(scene.name, "double_pendulum");
  EXPECT_EQ(scene.bodies[0].where.str(), "examples/double_pendulum.yaml:3:5");
  EXPECT_EQ(scene.joints[1].where.line, 15);
}

TEST(Yaml, SimulationOptionsAreKept) {
  const Scene scene = read("simulation: {method: lagged, time_step: 0.002, until: 3}");
  EXPECT_EQ(scene.simulation.method, "lagged");
  EXPECT_EQ(scene.simulation.time_step, 0.002);
  EXPECT_FALSE(scene.simulation.accuracy.has_value());
  EXPECT_EQ(read("simulation: {friction: anchored}").simulation.friction, "anchored");
}

}  // namespace
}  // namespace stickslip
