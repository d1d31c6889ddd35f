#include "stickslip/geometry/reach.h"

#include <gtest/gtest.h>

#include "stickslip/dynamics/forest_state_testing.h"

namespace stickslip {
namespace {

using forest_testing::ForestState;
using forest_testing::Random;

// The forest with a capsule on every body, off its centre.
struct CapsuleForest {
  ForestState now;
  CollisionModel collision;

  explicit CapsuleForest(unsigned seed) : now(seed) {
    Random random(seed);
    for (Body& body : now.scene.bodies) body.geometry = {{.shape = Capsule{0.1, 0.4}, .pose = random.pose()}};
    now.model = compile(now.scene);
    collision = make_collision_model(now.model);
  }
};

std::vector<Aabb> boxes_of(const CollisionModel& collision, const Kinematics& kinematics,
                           const std::vector<double>& reach) {
  std::vector<Placed> placed;
  std::vector<Aabb> boxes;
  place_all(collision, kinematics, placed);
  compute_boxes(placed, reach, boxes);
  return boxes;
}

// Whatever moves on with its velocity for the time h stays within its box, in every kind of joint. Joints couple: the
// velocity of a link in a chain is not constant; its second-order part is what gravity's term has room for here.
TEST(Reach, BoxesHoldWhatMovesOn) {
  constexpr double h = 1e-3;
  std::vector<double> none, reach;
  for (unsigned seed = 0; seed < 20; ++seed) {
    const CapsuleForest forest(seed);
    compute_reach(forest.collision, forest.now.model, forest.now.kinematics, h, reach);
    const std::vector<Aabb> boxes = boxes_of(forest.collision, forest.now.kinematics, reach);
    none.assign(reach.size(), 0);
    for (const double part : {0.3, 1.0}) {
      const std::vector<Aabb> later = boxes_of(forest.collision, forest.now.moved(part * h).kinematics, none);
      for (std::size_t i = 0; i < boxes.size(); ++i) EXPECT_TRUE(boxes[i].contains(later[i])) << seed << " " << i;
    }
  }
}

// The bound is not wasteful: a ball that flies without turning reaches h v + h^2 g.
TEST(Reach, OfAFlyingBallIsItsPath) {
  Scene scene;
  scene.bodies.push_back({.name = "ball",
                          .inertia = {1, Vector3d::Zero(), Matrix3d::Identity()},
                          .linear_velocity = {3, 0, 4},
                          .geometry = {{.shape = Sphere{0.1}}}});
  const Model model = compile(scene);
  const CollisionModel collision = make_collision_model(model);
  const State state = initial_state(model);
  Kinematics kinematics;
  compute_poses(model, state, kinematics);
  compute_velocities(model, state, kinematics);
  std::vector<double> reach;
  compute_reach(collision, model, kinematics, 0.1, reach);
  EXPECT_NEAR(reach[0], 0.5 + 0.0981, 1e-14);
  const std::vector<Aabb> boxes = boxes_of(collision, kinematics, reach);
  EXPECT_NEAR(boxes[0].upper.x(), 0.1 + reach[0], 1e-14);
}

// The world does not reach out; a prescribed half-space does by its speed, and everywhere once it turns.
TEST(Reach, OfImmovableBodies) {
  Scene scene;
  scene.world_geometry = {{.shape = HalfSpace{}}};
  for (const bool rotates : {false, true}) {
    scene.bodies.push_back({.name = rotates ? "disc" : "lift",
                            .motion = Motion{.axis = Vector3d::UnitX(), .rotates = rotates, .velocity = 2},
                            .geometry = {{.shape = HalfSpace{}}}});
  }
  const Model model = compile(scene);
  const CollisionModel collision = make_collision_model(model);
  const State state = initial_state(model);
  Kinematics kinematics;
  compute_poses(model, state, kinematics);
  compute_velocities(model, state, kinematics);
  std::vector<double> reach;
  compute_reach(collision, model, kinematics, 0.1, reach);
  EXPECT_EQ(reach[0], 0);
  EXPECT_NEAR(reach[1], 0.2, 1e-15);
  EXPECT_EQ(reach[2], kInfinity);
}

}  // namespace
}  // namespace stickslip
