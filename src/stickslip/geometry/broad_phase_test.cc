#include "stickslip/geometry/broad_phase.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "stickslip/model/forest_testing.h"

namespace stickslip {
namespace {

using forest_testing::Random;
using Pairs = std::vector<std::pair<int, int>>;

// A world of free bodies, some fixed ones and some with a motion, with masks, exclusions, listed pairs and a floor.
CollisionModel mixed_model(int count) {
  Scene scene;
  scene.world_geometry = {{.name = "floor", .shape = HalfSpace{}}};
  for (int i = 0; i < count; ++i) {
    const std::string name = std::to_string(i);
    scene.bodies.push_back({.name = name,
                            .inertia = {1, Vector3d::Zero(), Matrix3d::Identity()},
                            .geometry = {{.name = name, .shape = Sphere{0.1}}}});
    Body& body = scene.bodies.back();
    body.fixed = i % 9 == 0;
    if (i % 11 == 1) body.motion = Motion{.velocity = 1};
    if (i % 7 == 0) body.geometry[0].contype = 2;
    if (i % 5 == 0) body.geometry[0].conaffinity = 3;
    if (i > 0 && i % 4 == 0) scene.contact_exclusions.push_back({.body_a = name, .body_b = scene.bodies[i / 2].name});
    if (i > 0 && i % 6 == 0)
      scene.contact_pairs.push_back({.geometry_a = name, .geometry_b = scene.bodies[i / 3].name});
  }
  return make_collision_model(compile(scene));
}

Pairs brute_force(const CollisionModel& collision, const std::vector<Aabb>& boxes) {
  Pairs pairs;
  for (int a = 0; a < static_cast<int>(boxes.size()); ++a) {
    for (int b = a + 1; b < static_cast<int>(boxes.size()); ++b) {
      if (boxes[a].overlaps(boxes[b]) && collision.may_collide(a, b)) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

// Sizes over six decades, where a large one meets many.
Aabb random_box(Random& random) {
  const Vector3d half = Vector3d(random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1)) *
                        std::pow(10, random.uniform(-3, random.uniform(-3, 3)));
  const Vector3d center = random.vector(5);
  return {center - half, center + half};
}

void shift(Aabb& box, const Vector3d& by) {
  box.lower += by;
  box.upper += by;
}

// Boxes that live through everything: rest, creep, flight, teleports, growth, flatness, coincidence, infinity and
// numbers that are none. boxes[0] is the floor's.
class Motions {
 public:
  Motions(Random& random, std::size_t count) : random_(random), boxes_(count), velocity_(count) {
    for (Aabb& box : boxes_) box = random_box(random_);
    for (Vector3d& velocity : velocity_) velocity = random_.vector(std::pow(10, random_.uniform(-4, 0)));
    boxes_[0] = {Vector3d::Constant(-kInfinity), Vector3d(kInfinity, kInfinity, 0)};
  }

  const std::vector<Aabb>& boxes() const { return boxes_; }

  void advance() {
    for (std::size_t i = 1; i < boxes_.size(); ++i) shift(boxes_[i], velocity_[i]);
    for (int k = 0; k < 4; ++k) {
      Aabb& box = boxes_[any()];
      switch (static_cast<int>(random_.uniform(0, 10))) {
        case 0:
          box = random_box(random_);
          break;
        case 1:
          box = boxes_[any()];
          break;
        case 2:
          box = box.grown(random_.uniform(0, 0.5));
          break;
        case 3:
          box.lower = box.upper = box.center();
          break;
        case 4:
          velocity_[any()] = random_.vector(std::pow(10, random_.uniform(-6, 1)));
          break;
        case 5:
          velocity_[any()].setZero();
          break;
        case 6:
          shift(box, Vector3d::Constant(random_.uniform(0, 1) < 0.5 ? 1e6 : -1e6));
          break;
        default:
          break;
      }
    }
    if (random_.uniform(0, 1) < 0.05) boxes_[any()].upper.x() = kInfinity;
    if (random_.uniform(0, 1) < 0.05) boxes_[any()].lower.setConstant(std::nan(""));
    if (random_.uniform(0, 1) < 0.2) boxes_[any()] = random_box(random_);
  }

 private:
  std::size_t any() { return 1 + static_cast<std::size_t>(random_.uniform(0, static_cast<double>(boxes_.size() - 1))); }

  Random& random_;
  std::vector<Aabb> boxes_;
  std::vector<Vector3d> velocity_;
};

// Whatever happened before, the pairs are those of all boxes against all: in order, each once.
TEST(BroadPhase, EqualsBruteForce) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    Random random(seed);
    const CollisionModel collision = mixed_model(10 + 20 * static_cast<int>(seed));
    Motions motions(random, collision.geometries.size());
    BroadPhase broad_phase;
    Pairs pairs;
    for (int step = 0; step < 100; ++step) {
      broad_phase.find_pairs(collision, motions.boxes(), pairs);
      ASSERT_EQ(pairs, brute_force(collision, motions.boxes())) << seed << " " << step;
      motions.advance();
    }
  }
}

// A workspace that was used for something else answers the same: another past, another model of equal size, none.
TEST(BroadPhase, DoesNotDependOnHistory) {
  Random random(3);
  const CollisionModel collision = mixed_model(60);
  CollisionModel other = collision;
  other.filter_hash = 1;
  for (CollisionGeometry& geometry : other.geometries) geometry.contype = geometry.conaffinity = 0;
  Motions motions(random, collision.geometries.size());
  BroadPhase skipping, busy;
  Pairs expected, pairs;
  for (int step = 0; step < 200; ++step) {
    BroadPhase fresh;
    fresh.find_pairs(collision, motions.boxes(), expected);
    if (step % 7 == 0) busy.find_pairs(other, motions.boxes(), pairs);
    busy.find_pairs(collision, motions.boxes(), pairs);
    ASSERT_EQ(pairs, expected);
    if (step % 5 == 0) {
      skipping.find_pairs(collision, motions.boxes(), pairs);
      ASSERT_EQ(pairs, expected);
    }
    motions.advance();
  }
}

// A workspace goes from model to model: larger, smaller, without immovable bodies, empty.
TEST(BroadPhase, ServesOneModelAfterAnother) {
  Random random(5);
  BroadPhase broad_phase;
  Pairs pairs;
  for (const int count : {40, 7, 90, 0, 40}) {
    const CollisionModel mixed = mixed_model(count);
    CollisionModel loose = mixed;
    loose.filter_hash = 2;
    for (CollisionGeometry& geometry : loose.geometries) geometry.is_mobile = true;
    for (const CollisionModel* collision : {&mixed, &std::as_const(loose)}) {
      std::vector<Aabb> boxes(collision->geometries.size());
      for (Aabb& box : boxes) box = random_box(random);
      broad_phase.find_pairs(*collision, boxes, pairs);
      EXPECT_EQ(pairs, brute_force(*collision, boxes));
    }
  }
}

// Coordinates at the end of what numbers can say spoil nobody's pairs.
TEST(BroadPhase, ExtremeCoordinatesDoNotSpread) {
  const CollisionModel collision = mixed_model(30);
  Random random(7);
  std::vector<Aabb> boxes(collision.geometries.size());
  BroadPhase broad_phase;
  Pairs pairs;
  for (const double extreme : {1e99, 1e160, 1.7e308, 5e-324, 1e-310}) {
    for (Aabb& box : boxes) box = random_box(random);
    for (std::size_t i = 3; i < boxes.size(); i += 4) {
      for (Vector3d* corner : {&boxes[i].lower, &boxes[i].upper}) *corner = extreme * corner->cwiseSign();
    }
    for (int step = 0; step < 3; ++step) {
      broad_phase.find_pairs(collision, boxes, pairs);
      ASSERT_EQ(pairs, brute_force(collision, boxes)) << extreme;
      for (Aabb& box : boxes) shift(box, random.vector(0.1));
    }
  }
}

// Models whose filters differ have different hashes, whatever it is they differ in.
TEST(BroadPhase, FilterHashTellsModelsApart) {
  const auto hash = [](auto&& change) {
    Scene scene;
    for (const char* name : {"a", "b"}) {
      scene.bodies.push_back({.name = name,
                              .inertia = {1, Vector3d::Zero(), Matrix3d::Identity()},
                              .geometry = {{.name = name, .shape = Sphere{0.1}}}});
    }
    change(scene);
    return make_collision_model(compile(scene)).filter_hash;
  };
  std::vector<std::uint64_t> hashes{
      hash([](Scene&) {}),
      hash([](Scene& s) { s.bodies[0].fixed = true; }),
      hash([](Scene& s) { s.bodies[0].geometry[0].contype = 2; }),
      hash([](Scene& s) { s.bodies[0].geometry[0].conaffinity = 2; }),
      hash([](Scene& s) { s.contact_exclusions = {{.body_a = "a", .body_b = "b"}}; }),
      hash([](Scene& s) { s.contact_pairs = {{.geometry_a = "a", .geometry_b = "b"}}; }),
      hash([](Scene& s) { s.joints = {{.name = "j", .parent = "a", .child = "b"}}; }),
      hash([](Scene& s) { s.bodies[0].geometry[0].shape = HalfSpace{}; }),
      hash([](Scene& s) { s.bodies.pop_back(); }),
  };
  std::sort(hashes.begin(), hashes.end());
  EXPECT_EQ(std::adjacent_find(hashes.begin(), hashes.end()), hashes.end());
}

// All in one place: every pair, and no trouble with it.
TEST(BroadPhase, SurvivesBoxesThatAllCoincide) {
  Scene scene;
  constexpr int kCount = 1500;
  for (int i = 0; i < kCount; ++i) {
    scene.bodies.push_back({.name = std::to_string(i),
                            .inertia = {1, Vector3d::Zero(), Matrix3d::Identity()},
                            .geometry = {{.shape = Sphere{0.1}}}});
  }
  const CollisionModel collision = make_collision_model(compile(scene));
  std::vector<Aabb> boxes(kCount, Aabb{Vector3d::Zero(), Vector3d::Ones()});
  BroadPhase broad_phase;
  Pairs pairs;
  for (int step = 0; step < 3; ++step) {
    broad_phase.find_pairs(collision, boxes, pairs);
    EXPECT_EQ(pairs.size(), std::size_t{kCount} * (kCount - 1) / 2);
    for (Aabb& box : boxes) shift(box, Vector3d::Ones());
  }
}

TEST(BroadPhase, NothingMeetsNothing) {
  Scene scene;
  const CollisionModel collision = make_collision_model(compile(scene));
  Pairs pairs{{1, 2}};
  BroadPhase().find_pairs(collision, {}, pairs);
  EXPECT_TRUE(pairs.empty());
}

}  // namespace
}  // namespace stickslip
