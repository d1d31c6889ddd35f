#include "stickslip/geometry/collision_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

const MassProperties kMatter{1, Vector3d::Zero(), Matrix3d::Identity()};

Geometry ball(const std::string& name, const std::string& material = "") {
  return {.name = name, .shape = Sphere{0.1}, .material = material};
}

// A body with one ball named like it.
Body& add(Scene& scene, const std::string& name) {
  scene.bodies.push_back({.name = name, .inertia = kMatter, .geometry = {ball(name)}});
  return scene.bodies.back();
}

void join(Scene& scene, const std::string& parent, const std::string& child, JointType type = JointType::kRevolute) {
  scene.joints.push_back({.name = parent + "_" + child, .type = type, .parent = parent, .child = child});
}

struct World {
  Model model;
  CollisionModel collision;

  explicit World(const Scene& scene) : model(compile(scene)), collision(make_collision_model(model)) {}

  int index(const std::string& name) const {
    const auto& list = collision.geometries;
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& g) { return g.name == name; });
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
  }
  bool collide(const std::string& a, const std::string& b) const {
    EXPECT_EQ(collision.may_collide(index(a), index(b)), collision.may_collide(index(b), index(a)));
    return collision.may_collide(index(a), index(b));
  }
};

std::string error_code(const Scene& scene) {
  try {
    make_collision_model(compile(scene));
  } catch (const ModelError& error) {
    return error.code();
  }
  return "";
}

// The same mesh on many bodies is one hull in memory.
TEST(CollisionModel, OneHullForEachMesh) {
  const auto mesh = std::make_shared<Mesh>();
  mesh->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh->triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  Scene scene;
  for (const char* name : {"a", "b"}) add(scene, name).geometry[0].shape = ConvexMesh{mesh};
  add(scene, "c").geometry[0].shape = TriangleMesh{mesh};
  const World world(scene);
  const auto& list = world.collision.geometries;
  EXPECT_EQ(list[0].collider.hull, list[1].collider.hull);
  EXPECT_EQ(list[0].collider.hull, list[2].collider.hull);
}

// Only what collides is there, with its pose and surface velocity turned into the link's axes.
TEST(CollisionModel, GeometryStandsInItsLink) {
  Scene scene;
  add(scene, "base");
  Body& part = add(scene, "part");
  const Matrix3d quarter = Eigen::AngleAxisd(EIGEN_PI / 2, Vector3d::UnitZ()).toRotationMatrix();
  part.geometry[0].pose = Pose::at({1, 0, 0});
  part.geometry[0].surface_velocity = {2, 0, 0};
  part.geometry.push_back({.name = "picture", .shape = Sphere{1}, .collides = false});
  scene.joints.push_back(
      {.name = "weld", .type = JointType::kFixed, .parent = "base", .child = "part", .pose = {quarter, {0, 0, 3}}});
  const World world(scene);
  EXPECT_EQ(world.index("picture"), -1);
  const CollisionGeometry& geometry = world.collision.geometries[world.index("part")];
  EXPECT_EQ(geometry.link, world.collision.geometries[world.index("base")].link);
  EXPECT_TRUE(geometry.X_LG.position.isApprox(Vector3d(0, 1, 3)));
  EXPECT_TRUE(geometry.center.isApprox(Vector3d(0, 1, 3)));
  EXPECT_TRUE(geometry.surface_velocity.isApprox(Vector3d(0, 2, 0)));
  EXPECT_FALSE(world.collide("base", "part"));
}

// Nothing reacts where neither side can be moved: world, fixed, prescribed and mocap bodies.
TEST(CollisionModel, ImmovableBodiesDoNotMeet) {
  Scene scene;
  scene.world_geometry = {ball("ground")};
  add(scene, "post").fixed = true;
  add(scene, "belt").motion = Motion{.velocity = 1};
  add(scene, "hand").mocap = true;
  add(scene, "stone");
  const World world(scene);
  for (const char* a : {"ground", "post", "belt", "hand"}) {
    EXPECT_TRUE(world.collide(a, "stone")) << a;
    for (const char* b : {"ground", "post", "belt", "hand"}) EXPECT_FALSE(world.collide(a, b)) << a << " " << b;
  }
  EXPECT_TRUE(world.collision.geometries[world.index("post")].is_static);
  EXPECT_FALSE(world.collision.geometries[world.index("belt")].is_static);
}

// A crank whose angle is prescribed is still carried by its mobile parent.
TEST(CollisionModel, PrescribedJointOnMobileParentIsMobile) {
  Scene scene;
  scene.world_geometry = {ball("ground")};
  add(scene, "cart");
  add(scene, "crank");
  join(scene, "cart", "crank");
  scene.joints.back().motion = Motion{.velocity = 1};
  EXPECT_TRUE(World(scene).collide("crank", "ground"));
}

// Neighbours in a chain do not collide, with welded parts counted as one and links between the axes of a joint skipped;
// the next but one does.
TEST(CollisionModel, JoinedBodiesDoNotCollide) {
  Scene scene;
  for (const char* name : {"a", "b", "b_tool", "c", "d"}) add(scene, name);
  join(scene, "a", "b");
  join(scene, "b", "b_tool", JointType::kFixed);
  join(scene, "b_tool", "c", JointType::kUniversal);
  join(scene, "c", "d", JointType::kPlanar);
  const World world(scene);
  EXPECT_FALSE(world.collide("a", "b"));
  EXPECT_FALSE(world.collide("a", "b_tool"));
  EXPECT_FALSE(world.collide("b", "c"));
  EXPECT_FALSE(world.collide("c", "d"));
  EXPECT_TRUE(world.collide("a", "c"));
  EXPECT_TRUE(world.collide("b", "d"));
  scene.filter_parent_child = false;
  EXPECT_TRUE(World(scene).collide("a", "b"));
}

// A free joint joins nothing, and a door can hit the world it hangs on.
TEST(CollisionModel, FreeJointsAndTheWorldAreNoNeighbours) {
  Scene scene;
  scene.world_geometry = {ball("frame")};
  for (const char* name : {"door", "table", "cup"}) add(scene, name);
  join(scene, kWorld, "door");
  join(scene, kWorld, "table", JointType::kPrismatic);
  join(scene, "table", "cup", JointType::kFree);
  const World world(scene);
  EXPECT_TRUE(world.collide("door", "frame"));
  EXPECT_TRUE(world.collide("table", "cup"));
}

// The base of a fixed robot, with all that is welded to it, is the first link's neighbour; the bench beside it is not.
TEST(CollisionModel, FixedBaseIsAParent) {
  Scene scene;
  for (const char* name : {"base", "base_cover", "shoulder", "elbow", "bench"}) add(scene, name);
  join(scene, kWorld, "base", JointType::kFixed);
  join(scene, "base", "base_cover", JointType::kFixed);
  join(scene, "base", "shoulder");
  join(scene, "shoulder", "elbow");
  scene.bodies.back().fixed = true;
  const World world(scene);
  EXPECT_FALSE(world.collide("base", "shoulder"));
  EXPECT_FALSE(world.collide("base_cover", "shoulder"));
  EXPECT_TRUE(world.collide("base", "elbow"));
  EXPECT_TRUE(world.collide("bench", "shoulder"));
}

// MuJoCo lets a static body collide with its children: files written for it exclude what they do not want.
TEST(CollisionModel, StaticParentInMjcfCollides) {
  Scene scene;
  scene.materials = {{.name = "m", .mjcf = MjcfContact{}}};
  for (const char* name : {"base", "shoulder", "elbow"}) add(scene, name).geometry = {ball(name, "m")};
  join(scene, kWorld, "base", JointType::kFixed);
  join(scene, "base", "shoulder");
  join(scene, "shoulder", "elbow");
  const World world(scene);
  EXPECT_TRUE(world.collide("base", "shoulder"));
  EXPECT_FALSE(world.collide("shoulder", "elbow"));
}

TEST(CollisionModel, ExclusionsAndMasks) {
  Scene scene;
  for (const char* name : {"a", "b", "c"}) add(scene, name);
  scene.contact_exclusions = {{.body_a = "b", .body_b = "a"}};
  scene.bodies[1].geometry[0].contype = 2;
  scene.bodies[1].geometry[0].conaffinity = 4;
  scene.bodies[2].geometry[0].contype = 4;
  scene.bodies[2].geometry[0].conaffinity = 0;
  const World world(scene);
  EXPECT_FALSE(world.collide("a", "b"));
  EXPECT_TRUE(world.collide("b", "c"));   // c's type, b's affinity
  EXPECT_FALSE(world.collide("a", "c"));  // 4 & 1, 1 & 0
}

TEST(CollisionModel, FamiliesDoNotCollide) {
  Scene scene;
  for (const char* name : {"a", "b", "c", "d", "e"}) add(scene, name);
  scene.bodies[0].family = scene.bodies[1].family = 1;
  scene.bodies[2].family = 2;
  World world(scene);
  EXPECT_FALSE(world.collide("a", "b"));
  EXPECT_TRUE(world.collide("a", "c"));
  EXPECT_TRUE(world.collide("c", "d"));
  EXPECT_TRUE(world.collide("d", "e"));
  scene.contact_pairs = {{.geometry_a = "a", .geometry_b = "b"}};
  EXPECT_TRUE(World(scene).collide("a", "b"));
}

// Listed pairs beat joints, exclusions, masks and even geometry that is for the eye only.
TEST(CollisionModel, ListedPairsBeatFilters) {
  Scene scene;
  scene.materials = {{.name = "glue", .stiffness = 7, .static_friction = 3, .dynamic_friction = 3}};
  for (const char* name : {"a", "b", "c"}) add(scene, name);
  join(scene, "a", "b");
  scene.contact_exclusions = {{.body_a = "a", .body_b = "c"}};
  scene.bodies[2].geometry[0].collides = false;
  scene.contact_pairs = {{.geometry_a = "b", .geometry_b = "a", .material = "glue"},
                         {.geometry_a = "a", .geometry_b = "c"}};
  const World world(scene);
  EXPECT_TRUE(world.collide("a", "b"));
  EXPECT_TRUE(world.collide("a", "c"));
  EXPECT_FALSE(world.collide("b", "c"));
  EXPECT_EQ(world.collision.pair_material(world.index("a"), world.index("b")).stiffness, 7);
  EXPECT_EQ(world.collision.pair_material(world.index("a"), world.index("b")).static_friction, 3);
  EXPECT_EQ(world.collision.pair_material(world.index("a"), world.index("c")).static_friction, 0.5);
}

// Hertz's law acts where a ball is touched; a model of flat surfaces alone is warned of a modulus.
TEST(CollisionModel, ModulusWithoutCurvatureIsWarnedOf) {
  Scene scene;
  scene.materials = {{.name = "rubber", .where = {"a.yaml", 2, 1}, .youngs_modulus = 1e7}};
  scene.world_geometry = {{.name = "ground", .shape = HalfSpace{}, .material = "rubber"}};
  add(scene, "a").geometry[0].shape = Box{{1, 1, 1}};
  const World flat(scene);
  ASSERT_EQ(flat.collision.warnings.size(), 1u);
  EXPECT_EQ(flat.collision.warnings[0].code, "idle-modulus");
  EXPECT_EQ(flat.collision.pair_material(flat.index("ground"), flat.index("a")).hertz, 0);
  scene.bodies[0].geometry[0].shape = Sphere{0.5};
  const World round(scene);
  EXPECT_TRUE(round.collision.warnings.empty());
  EXPECT_GT(round.collision.pair_material(round.index("ground"), round.index("a")).hertz, 0);
}

TEST(CollisionModel, ListedPairThatCannotPushIsWarnedOf) {
  Scene scene;
  scene.world_geometry = {ball("ground")};
  add(scene, "post").fixed = true;
  scene.contact_pairs = {{.where = {"a.yaml", 3, 1}, .geometry_a = "ground", .geometry_b = "post"}};
  const World world(scene);
  EXPECT_FALSE(world.collide("ground", "post"));
  ASSERT_EQ(world.collision.warnings.size(), 1u);
  EXPECT_EQ(world.collision.warnings[0].code, "idle-pair");
  EXPECT_EQ(world.collision.warnings[0].where.line, 3);
}

TEST(CollisionModel, UnknownNamesAreErrors) {
  Scene scene;
  add(scene, "tip");
  add(scene, "pad");
  scene.contact_pairs = {{.geometry_a = "tipp", .geometry_b = "pad"}};
  EXPECT_EQ(error_code(scene), "unknown-geometry");
  scene.contact_pairs = {{.geometry_a = "tip", .geometry_b = "pad", .material = "glu"}};
  EXPECT_EQ(error_code(scene), "unknown-material");
  scene.contact_pairs = {{.geometry_a = "tip", .geometry_b = "pad"}};
  EXPECT_EQ(error_code(scene), "");
  scene.bodies[1].geometry.push_back(ball("tip"));
  EXPECT_EQ(error_code(scene), "duplicate-name");
}

// A mesh that moves is its hull, and says so.
TEST(CollisionModel, MovingMeshBecomesItsHull) {
  const auto mesh = std::make_shared<Mesh>();
  mesh->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh->triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  Scene scene;
  Body& body = add(scene, "vase");
  body.geometry[0].shape = TriangleMesh{mesh};
  body.geometry[0].where = {"a.yaml", 5, 2};
  const World world(scene);
  EXPECT_EQ(world.collision.geometries[0].collider.kind, ColliderKind::kHull);
  ASSERT_EQ(world.collision.warnings.size(), 1u);
  EXPECT_EQ(world.collision.warnings[0].code, "moving-mesh");
  EXPECT_EQ(world.collision.warnings[0].where.line, 5);
}

// A ball of 4 kg on the ground, a loose pair of 4 kg, and a wheel of inertia 0.1 about its axle, which yields at its
// rim: 2/3 0.1^2 / (3 0.1). All rest at MuJoCo's default depth.
TEST(CollisionModel, MjcfStiffnessGrowsWithTheReducedMass) {
  constexpr double kDepth = 0.0003671818424905;
  Scene scene;
  scene.materials = {{.name = "m", .mjcf = MjcfContact{}}};
  scene.world_geometry = {ball("ground", "m")};
  for (const char* name : {"a", "b", "wheel"}) {
    Body& body = add(scene, name);
    body.geometry = {ball(name, "m")};
    body.inertia = {4, Vector3d::Zero(), 0.1 * Matrix3d::Identity()};
  }
  scene.bodies[2].geometry[0].shape = Box{Vector3d::Constant(0.2 / std::sqrt(3.0))};
  join(scene, kWorld, "wheel");
  const World world(scene);
  const auto stiffness = [&](const char* a, const char* b) {
    return world.collision.pair_material(world.index(a), world.index(b)).stiffness;
  };
  EXPECT_NEAR(stiffness("ground", "a"), 4 * 9.81 / kDepth, 1e-3);
  EXPECT_NEAR(stiffness("a", "b"), 2 * 9.81 / kDepth, 1e-3);
  EXPECT_NEAR(stiffness("ground", "wheel"), 9.81 / kDepth * 45, 1e-2);
}

// One that does not move, or only as it is told to, keeps its triangles.
TEST(CollisionModel, ImmovableMeshKeepsItsTriangles) {
  const auto mesh = std::make_shared<Mesh>();
  mesh->vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh->triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  Scene scene;
  add(scene, "rock").fixed = true;
  add(scene, "lift").motion = Motion{.velocity = 1};
  for (Body& body : scene.bodies) body.geometry[0].shape = TriangleMesh{mesh};
  const World world(scene);
  EXPECT_TRUE(world.collision.warnings.empty());
  for (const CollisionGeometry& geometry : world.collision.geometries) {
    EXPECT_EQ(geometry.collider.kind, ColliderKind::kTriangleMesh);
    EXPECT_FALSE(geometry.is_convex);
  }
}

// Planes do not meet planes; a loose one that would is worth a warning, a static one is not.
TEST(CollisionModel, KindsWithoutQueryAreWarnedOf) {
  Scene scene;
  scene.world_geometry = {{.name = "floor", .shape = HalfSpace{}}};
  add(scene, "wall").fixed = true;
  scene.bodies[0].geometry[0].shape = HalfSpace{};
  EXPECT_TRUE(World(scene).collision.warnings.empty());
  add(scene, "plate").geometry[0].shape = HalfSpace{};
  const World world(scene);
  EXPECT_FALSE(world.collide("plate", "floor"));
  ASSERT_EQ(world.collision.warnings.size(), 1u);
  EXPECT_EQ(world.collision.warnings[0].code, "unsupported-pair");
}

}  // namespace
}  // namespace stickslip
