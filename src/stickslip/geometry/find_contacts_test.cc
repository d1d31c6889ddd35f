#include "stickslip/geometry/find_contacts.h"

#include <gtest/gtest.h>

#include <random>

#include "stickslip/geometry/box_box_manifold.h"
#include "stickslip/geometry/reach.h"
#include "stickslip/geometry/support_faces.h"

namespace stickslip {
namespace {

Geometry geometry(const Shape& shape) {
  Geometry out;
  out.shape = shape;
  return out;
}

// Boxes, spheres and cylinders, some with two geometries, thrown into a small room with a floor.
Model heap(int count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-0.2, 0.2);
  Scene scene;
  scene.world_geometry.push_back(geometry(HalfSpace{}));
  for (int i = 0; i < count; ++i) {
    Body body;
    body.name = "body_" + std::to_string(i);
    body.inertia = {1, Vector3d::Zero(), 1e-3 * Matrix3d::Identity()};
    body.pose.position = Vector3d(uniform(random), uniform(random), 0.2 + uniform(random));
    body.pose.rotation = Quaterniond(1, uniform(random), uniform(random), uniform(random)).normalized();
    if (i % 3 == 0) body.geometry.push_back(geometry(Box{{0.1, 0.1, 0.1}}));
    if (i % 3 == 1) body.geometry.push_back(geometry(Cylinder{0.05, 0.1}));
    if (i % 2 == 0) body.geometry.push_back(geometry(Sphere{0.06}));
    scene.bodies.push_back(body);
  }
  return compile(scene);
}

struct Query {
  Model model = heap(60);
  CollisionModel collision = make_collision_model(model);
  Kinematics kinematics;
  std::vector<double> reach;

  explicit Query(double moved = 0) {
    State state = initial_state(model);
    for (int i = 0; i < model.nq; i += 7) state.q[i] += moved;
    compute_poses(model, state, kinematics);
    reach.assign(collision.geometries.size(), 1e-3);
  }
};

void expect_equal(const ContactSet& a, const ContactSet& b) {
  ASSERT_EQ(a.size(), b.size());
  ASSERT_EQ(a.patches.size(), b.patches.size());
  for (int i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a.point[i], b.point[i]);
    EXPECT_EQ(a.normal[i], b.normal[i]);
    EXPECT_EQ(a.distance[i], b.distance[i]);
    EXPECT_EQ(a.weight[i], b.weight[i]);
    EXPECT_EQ(a.feature[i], b.feature[i]);
  }
}

TEST(FindContacts, PatchesAreInOrderAndWeightsSumToOne) {
  const Query query;
  ContactSet contacts;
  ContactWorkspace workspace;
  find_contacts(query.collision, query.kinematics, query.reach, contacts, workspace);
  ASSERT_GT(contacts.patches.size(), 20u);
  int next = 0;
  for (std::size_t i = 0; i < contacts.patches.size(); ++i) {
    const ContactPatch& patch = contacts.patches[i];
    EXPECT_LT(patch.body_a, patch.body_b);
    EXPECT_EQ(patch.first, next);
    next += patch.count;
    if (i == 0) continue;
    const ContactPatch& before = contacts.patches[i - 1];
    EXPECT_LT(std::pair(before.body_a, before.body_b), std::pair(patch.body_a, patch.body_b));
  }
  EXPECT_EQ(next, contacts.size());
  std::vector<double> sum(contacts.material.size(), 0.0);
  for (int i = 0; i < contacts.size(); ++i) {
    sum[contacts.pair[i]] += contacts.weight[i];
    EXPECT_NEAR(contacts.normal[i].norm(), 1, 1e-12);
    EXPECT_NEAR(contacts.tangent[i].norm(), 1, 1e-12);
    EXPECT_NEAR(contacts.tangent[i].dot(contacts.normal[i]), 0, 1e-12);
  }
  for (double s : sum) EXPECT_NEAR(s, 1, 1e-12);
}

// To the bit: what a workspace has seen before does not matter.
TEST(FindContacts, HistoryDoesNotMatter) {
  const Query start, moved(0.013), far(3.0);
  ContactSet fresh, used;
  ContactWorkspace workspace, another;
  for (const Query* query : {&start, &far, &moved, &far})
    find_contacts(start.collision, query->kinematics, start.reach, used, workspace);
  find_contacts(start.collision, moved.kinematics, start.reach, used, workspace);
  find_contacts(start.collision, moved.kinematics, start.reach, fresh, another);
  ASSERT_GT(fresh.size(), 50);
  expect_equal(fresh, used);
}

// The quick way for two boxes gives what the general one does, wherever it answers.
TEST(FindContacts, BoxesByRectanglesEqualTheGeneralWay) {
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  const Collider a = make_collider(Box{{1, 0.6, 0.4}}), b = make_collider(Box{{0.5, 0.9, 0.7}});
  int answered = 0;
  for (int i = 0; i < 3000; ++i) {
    const double tilt = i % 3 == 0 ? 0.01 : 1;
    const Quaterniond turn(1, tilt * normal(random), tilt * normal(random), tilt * normal(random));
    const Vector3d offset = 0.6 * Vector3d(normal(random), normal(random), normal(random)).normalized();
    const Placed placed_a{&a}, placed_b{&b, turn.normalized().toRotationMatrix(), offset};
    const BoxAxis axis = box_box_axis(placed_a, placed_b, 0);
    Manifold quick, general;
    if (axis.gap > 0 || !box_box_manifold(placed_a, placed_b, axis.normal, quick)) continue;
    ++answered;
    SupportFaces faces_a, faces_b;
    support_faces(placed_a, axis.normal, faces_a);
    support_faces(placed_b, -axis.normal, faces_b);
    make_manifold(faces_a, faces_b, {axis.gap, axis.normal, quick.points[0].point_a, quick.points[0].point_a},
                  a.scale(), general);
    for (int k = 0; k < quick.count; ++k) {
      bool found = false;
      for (int m = 0; m < general.count; ++m) {
        found |= quick.points[k].feature == general.points[m].feature &&
                 (quick.points[k].point_a - general.points[m].point_a).norm() < 1e-9 &&
                 std::abs(quick.points[k].weight - general.points[m].weight) < 1e-9 &&
                 std::abs(quick.points[k].distance - general.points[m].distance) < 1e-9;
      }
      EXPECT_TRUE(found) << "pose " << i << ", point " << k;
    }
  }
  EXPECT_GT(answered, 500);
}

}  // namespace
}  // namespace stickslip
