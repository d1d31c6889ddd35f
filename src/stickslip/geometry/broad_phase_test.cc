#include "stickslip/geometry/broad_phase.h"

#include <gtest/gtest.h>

namespace stickslip {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

TEST(BroadPhase, FindsTheOverlapOfTwo) {
  Scene scene;
  for (const char* name : {"a", "b", "c"}) {
    scene.bodies.push_back(
        {.name = name, .inertia = {1, Vector3d::Zero(), Matrix3d::Identity()}, .geometry = {{.shape = Sphere{0.1}}}});
  }
  const CollisionModel collision = make_collision_model(compile(scene));
  const Aabb unit{Vector3d::Zero(), Vector3d::Ones()};
  const std::vector<Aabb> boxes{unit, {unit.lower.array() + 3, unit.upper.array() + 3}, unit.grown(-0.1)};
  BroadPhase broad_phase;
  Pairs pairs;
  broad_phase.find_pairs(collision, boxes, pairs);
  EXPECT_EQ(pairs, (Pairs{{0, 2}}));
}

}  // namespace
}  // namespace stickslip
