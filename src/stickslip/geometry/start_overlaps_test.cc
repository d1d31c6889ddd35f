#include "stickslip/geometry/start_overlaps.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace stickslip {
namespace {

constexpr double kRadius = 0.1;

// Balls on sliders along x, so far from the first one.
Scene row(const std::vector<double>& places) {
  Scene scene;
  scene.world_geometry = {{.name = "floor", .shape = HalfSpace{}}};
  for (size_t i = 0; i < places.size(); ++i) {
    const std::string name(1, static_cast<char>('a' + i));
    scene.bodies.push_back({.name = name,
                            .inertia = {1, Vector3d::Zero(), Matrix3d::Identity()},
                            .geometry = {{.name = name, .shape = Sphere{kRadius}}},
                            .robot = 1});
    Joint slider{.name = "slider_" + name, .type = JointType::kPrismatic, .child = name, .axis = Vector3d::UnitX()};
    slider.position = {places[i]};
    scene.joints.push_back(slider);
  }
  return scene;
}

struct Found {
  Model model;
  CollisionModel collision;

  explicit Found(const Scene& scene) : model(compile(scene)), collision(make_collision_model(model)) {}

  bool collide(const std::string& a, const std::string& b) const {
    const auto index = [this](const std::string& name) {
      const auto& list = collision.geometries;
      return static_cast<int>(std::find_if(list.begin(), list.end(), [&](auto& g) { return g.name == name; }) -
                              list.begin());
    };
    return collision.may_collide(index(a), index(b));
  }
  long warnings() const {
    return std::count_if(collision.warnings.begin(), collision.warnings.end(),
                         [](const Warning& warning) { return warning.code == "overlapping-links"; });
  }
};

// a and b are 1.5 mm deep in each other, b and c half a millimetre.
TEST(StartOverlaps, DeepPairsOfARobotDoNotCollide) {
  const Found found(row({0, 2 * kRadius - 1.5e-3, 4 * kRadius - 2e-3}));
  EXPECT_FALSE(found.collide("a", "b"));
  EXPECT_TRUE(found.collide("b", "c"));
  EXPECT_TRUE(found.collide("a", "c"));
  EXPECT_TRUE(found.collide("a", "floor"));  // which is no part of it, and as deep in each of them
  ASSERT_EQ(found.warnings(), 1);
  EXPECT_EQ(found.collision.warnings[0].message,
            "where the robot starts, link 'b' overlaps 'a' by 1.5 mm; it does not collide with that one");
}

TEST(StartOverlaps, RobotsCollideWithOthers) {
  Scene scene = row({0, 0.1});
  scene.bodies[1].robot = 2;
  EXPECT_TRUE(Found(scene).collide("a", "b"));
  for (Body& body : scene.bodies) body.robot = 0;
  EXPECT_TRUE(Found(scene).collide("a", "b"));
}

TEST(StartOverlaps, ListedPairsCollide) {
  Scene scene = row({0, 0.1});
  scene.contact_pairs = {{.geometry_a = "b", .geometry_b = "a"}};
  EXPECT_TRUE(Found(scene).collide("a", "b"));
  EXPECT_EQ(Found(scene).warnings(), 0);
}

// It is where the robot starts that counts, not where its joints are zero.
TEST(StartOverlaps, StartElsewhereIsLookedAt) {
  EXPECT_FALSE(Found(row({0.5, 0.6})).collide("a", "b"));
  EXPECT_TRUE(Found(row({0.5, 0.8})).collide("a", "b"));
}

TEST(StartOverlaps, AreExclusionsWhereRobotsHaveNoName) {
  const Scene scene = exclude_start_overlaps(row({0, 0.1, 0.5}));
  ASSERT_EQ(scene.contact_exclusions.size(), 1u);
  for (const Body& body : scene.bodies) EXPECT_EQ(body.robot, 0);
  EXPECT_FALSE(Found(scene).collide("a", "b"));
  EXPECT_TRUE(Found(scene).collide("b", "c"));
  EXPECT_EQ(Found(scene).warnings(), 0);
}

TEST(StartOverlaps, FamiliesAreExclusionsToo) {
  Scene given = row({0, 5, 10});
  for (Body& body : given.bodies) {
    body.robot = 0;
    body.family = 3;
  }
  const Scene scene = exclude_start_overlaps(given);
  EXPECT_EQ(scene.contact_exclusions.size(), 3u);
  for (const Body& body : scene.bodies) EXPECT_EQ(body.family, 0);
  EXPECT_EQ(exclude_start_overlaps(scene).contact_exclusions.size(), 3u);
}

}  // namespace
}  // namespace stickslip
