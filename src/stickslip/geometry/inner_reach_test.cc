#include "stickslip/geometry/inner_reach.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stickslip/dynamics/forest_state_testing.h"
#include "stickslip/geometry/find_contacts.h"
#include "stickslip/geometry/reach.h"
#include "stickslip/geometry/separation.h"

namespace stickslip {
namespace {

using forest_testing::Random;

// A free chain of capsules on hinges, every other pair of which may meet.
Scene robot(Random& random, int links) {
  Scene scene;
  for (int i = 0; i < links; ++i) {
    Body body{.name = "link" + std::to_string(i), .inertia = {1, Vector3d(0, 0, 0.1), 0.02 * Matrix3d::Identity()}};
    body.geometry = {{.shape = Capsule{0.03, 0.2}, .pose = Pose::at({0, 0, 0.1})}};
    scene.bodies.push_back(body);
    if (i == 0) continue;
    const int parent = std::max(0, i - 1 - static_cast<int>(random.uniform(0, 2)));
    scene.joints.push_back({.name = "joint" + std::to_string(i),
                            .type = JointType::kRevolute,
                            .parent = "link" + std::to_string(parent),
                            .child = body.name,
                            .pose = Pose::at({0, 0, 0.2}),
                            .axis = random.vector().normalized()});
  }
  return scene;
}

struct Flight {
  Model model;
  CollisionModel collision;
  State state;
  Kinematics kinematics;
  std::vector<double> reach;
  InnerReach inner;

  explicit Flight(const Scene& scene)
      : model(compile(scene)), collision(make_collision_model(model)), state(initial_state(model)) {}

  void compute(double h) {
    compute_poses(model, state, kinematics);
    compute_velocities(model, state, kinematics);
    compute_reach(collision, model, kinematics, h, reach);
    compute_inner_reach(collision, model, kinematics, reach, h, 0.5, false, inner);
  }
  std::vector<Placed> later(double dt) const {
    State moved = state;
    integrate(model, state.q, dt * state.v, moved.q);
    Kinematics there;
    compute_poses(model, moved, there);
    std::vector<Placed> out;
    place_all(collision, there, out);
    return out;
  }
};

// Free flight of robots whose base flies and turns and whose joints turn: what meets within the step is listed. The
// base is taken along straight lines and by constant rates, as are the joints; the brute force places all capsules at
// eight moments of the step and measures every pair. What two rates make of each other is of second order, h^2 rate^2
// times lengths, for which half a millimetre is enough here (h = 5 ms, rates up to 6 rad/s, lengths of 0.5 m).
TEST(InnerReach, ListsWhatMeetsInFlight) {
  constexpr double h = 5e-3, kSecondOrder = 5e-4;
  int met = 0, left_out = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    Random random(seed);
    Flight flight(robot(random, 8));
    flight.state.q = forest_testing::random_configuration(flight.model, random);
    flight.state.v = random.vector_of(flight.model.nv) * 2.0;
    flight.state.v.head<3>() = 20 * random.vector().normalized();
    if (seed % 3 == 0) flight.state.v.segment<3>(3) = 15 * random.vector().normalized();
    flight.compute(h);
    if (flight.inner.of.empty()) continue;
    const int count = static_cast<int>(flight.collision.geometries.size());
    std::vector<Placed> now = flight.later(0);
    for (int step = 1; step <= 8; ++step) {
      const std::vector<Placed> then = flight.later(step * h / 8);
      for (int a = 0; a < count; ++a) {
        for (int b = a + 1; b < count; ++b) {
          if (!flight.collision.may_collide(a, b)) continue;
          const double gap = separation(now[a], now[b]).distance;
          const bool listed = gap <= flight.inner.between(flight.collision, a, b);
          if (!listed) ++left_out;
          if (separation(then[a], then[b]).distance > 0) continue;
          ++met;
          EXPECT_TRUE(gap <= flight.inner.between(flight.collision, a, b) + kSecondOrder)
              << seed << ": " << a << " " << b;
        }
      }
    }
  }
  EXPECT_GT(met, 500);
  EXPECT_GT(left_out, 10'000);
}

// A rigid robot: whatever it flies and however it turns, its links do not come nearer to each other.
TEST(InnerReach, OfWhatMovesAsOneIsSmall) {
  Random random(1);
  Flight flight(robot(random, 6));
  flight.state.v.setZero();
  flight.state.v.head<3>() = Vector3d(20, 0, 0);
  flight.compute(0.01);
  ASSERT_FALSE(flight.inner.of.empty());
  for (std::size_t i = 0; i < flight.reach.size(); ++i) {
    EXPECT_NEAR(flight.inner.of[i], 0, 1e-12);
    EXPECT_GT(flight.reach[i], 0.2);
  }
  flight.state.v.segment<3>(3) = Vector3d(0, 5, 0);
  flight.compute(0.01);
  ASSERT_FALSE(flight.inner.of.empty());
  // (h w)^2 times the farthest point, within 1 m and a half
  for (const double reach : flight.inner.of) EXPECT_LT(reach, 0.05 * 0.05 * 1.5);
}

std::vector<std::pair<int, int>> listed_pairs(Flight& flight, double h, bool with_inner) {
  flight.compute(h);
  ContactSet contacts;
  ContactWorkspace workspace;
  find_contacts(flight.collision, flight.kinematics, flight.reach, contacts, workspace, kMaxManifoldPoints,
                with_inner ? &flight.inner : nullptr);
  std::vector<std::pair<int, int>> out;
  for (std::size_t i = 0; i < contacts.geometry_a.size(); ++i)
    out.emplace_back(contacts.geometry_a[i], contacts.geometry_b[i]);
  return out;
}

// A robot that will hit the ground within the step folds as fast as it fell: it keeps all its candidates. One that
// flies along the ground, or away from it, does not.
TEST(InnerReach, WhatStrikesKeepsItsCandidates) {
  constexpr double h = 5e-3;
  Random random(2);
  Scene scene = robot(random, 8);
  scene.world_geometry = {{.shape = HalfSpace{}}};
  Flight flight(scene);
  const auto fly = [&](const Vector3d& v, double height) {
    flight.state.v.setZero();
    flight.state.v.head<3>() = v;
    flight.compute(h);
    double lowest = kInfinity;
    for (const Placed& placed : flight.later(0)) {
      if (placed.shape->kind != ColliderKind::kHalfSpace) lowest = std::min(lowest, bounding_box(placed).lower.z());
    }
    flight.state.q[2] += height - lowest;
  };
  const auto count_inner = [&](bool with_inner) {
    int out = 0;
    for (const auto& [a, b] : listed_pairs(flight, h, with_inner)) out += flight.collision.geometries[a].robot >= 0;
    return out;
  };
  fly({0, 0, -20}, 0.01);
  const int all = count_inner(false);
  EXPECT_GT(all, 3);
  EXPECT_EQ(count_inner(true), all);
  for (const Vector3d& v : {Vector3d(20, 0, 0), Vector3d(0, 0, 20)}) {
    fly(v, 0.01);
    EXPECT_EQ(count_inner(false), all);
    EXPECT_LT(count_inner(true), all);
  }
  fly({0, 0, -20}, 1);
  EXPECT_LT(count_inner(true), all);
}

// Neither a robot that stands on something nor one that a constraint or a prescribed joint holds is free.
TEST(InnerReach, IsOfFreeRobotsOnly) {
  Random random(3);
  Scene scene = robot(random, 4);
  EXPECT_EQ(make_collision_model(compile(scene)).free_robots.size(), 1u);
  scene.bodies.push_back({.name = "box", .inertia = {1, Vector3d::Zero(), Matrix3d::Identity()}});
  scene.constraints.push_back({.kind = Constraint::Kind::kDistance, .body_a = "box", .body_b = "link2", .length = 1});
  EXPECT_TRUE(make_collision_model(compile(scene)).free_robots.empty());
  scene.constraints.clear();
  scene.joints.push_back({.name = "rail", .type = JointType::kPrismatic, .parent = "world", .child = "link0"});
  EXPECT_TRUE(make_collision_model(compile(scene)).free_robots.empty());
}

}  // namespace
}  // namespace stickslip
