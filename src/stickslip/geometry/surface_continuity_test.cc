#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/geometry/collider_testing.h"
#include "stickslip/geometry/surface_contacts.h"
#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

using collider_testing::convex_shapes;
using collider_testing::height_field;
using collider_testing::mesh_collider;
using forest_testing::Random;

constexpr double kDepth = 5e-4;   // [m] kept along a path: 1e-3 of the bodies' size
constexpr double kFinest = 1e-9;  // of the size: where dividing a step ends

// A body on the ground: force and moment about the ground's origin of springs of unit stiffness.
Vector6d wrench(const Placed& body, const Placed& ground) {
  static SurfaceWorkspace workspace;
  static std::vector<Manifold> manifolds;
  manifolds.clear();
  surface_contacts(body, ground, 0, workspace, manifolds);
  Vector6d sum = Vector6d::Zero();
  for (const Manifold& m : manifolds) {
    for (int i = 0; i < m.count; ++i) {
      const Vector3d force = m.points[i].weight * std::min(0.0, m.points[i].distance) * m.normal;
      sum.head<3>() += force;
      sum.tail<3>() += m.points[i].point_a.cross(force);
    }
  }
  return sum;
}

void let_down(const Placed& ground, Placed& body) {
  body.p.z() = 1;
  for (int i = 0; i < 30; ++i) {
    const Separation between = separation(ground, body);
    if (std::abs(between.distance + kDepth) < 1e-12) return;
    body.p.z() -= (between.distance + kDepth) / std::max(0.3, between.normal.z());
  }
}

Placed between(const Placed& a, const Placed& b, double share) {
  const Vector3d turn = log_quaternion(Quaterniond(Matrix3d(a.R.transpose() * b.R)));
  return {a.shape, a.R * exp_quaternion(share * turn).toRotationMatrix(), a.p + share * (b.p - a.p)};
}

// The largest change of the wrench from a to b, followed into ever finer steps, as a part of the force.
double jump(Placed a, Placed b, const Placed& ground) {
  constexpr int kParts = 10;
  while (true) {
    double largest = -1, force = 0;
    int where = 0;
    Vector6d before = wrench(a, ground);
    for (int i = 0; i < kParts; ++i) {
      const Vector6d after = wrench(between(a, b, (i + 1.0) / kParts), ground);
      if (const double change = (after - before).norm(); change > largest) {
        largest = change, where = i;
        force = std::max(kDepth, before.head<3>().norm());
      }
      before = after;
    }
    const Placed from = between(a, b, static_cast<double>(where) / kParts);
    b = between(a, b, (where + 1.0) / kParts);
    a = from;
    if ((a.p - b.p).norm() + (a.R - b.R).norm() < kFinest) return largest / force;
  }
}

// Of a body that slides, spins, rolls or tilts along a path of 60 steps, at the steps with the largest changes.
double largest_jump(const Collider& shape, const Placed& ground, int path, Random& random) {
  constexpr int kSteps = 60, kPlaces = 3;
  const Vector3d axes[] = {Vector3d::Zero(), Vector3d::UnitZ(), Vector3d::UnitX(), {0.01, 0.005, 0}};
  const Vector3d turn = 1.5 * axes[path % 4], from = random.vector(0.6);
  const Vector3d move = (path % 4 == 0 ? 0.6 : 0.03) * Vector3d(std::cos(path), std::sin(path), 0);
  const Matrix3d start = (exp_quaternion({0, 0, random.uniform(0, 3)}) *
                          exp_quaternion(path % 8 < 4 ? Vector3d(M_PI / 2, 0, 0) : Vector3d::Zero()))
                             .toRotationMatrix();
  std::vector<Placed> poses;
  std::vector<std::pair<double, int>> changes;
  Vector6d before = Vector6d::Zero();
  for (int i = 0; i < kSteps; ++i) {
    const double s = i / (kSteps - 1.0);
    Placed body{&shape, exp_quaternion(s * turn).toRotationMatrix() * start, from + s * move};
    let_down(ground, body);
    const Vector6d here = wrench(body, ground);
    if (i > 0) changes.emplace_back(-(here - before).norm(), i);
    before = here;
    poses.push_back(body);
  }
  std::sort(changes.begin(), changes.end());
  double worst = 0;
  for (int k = 0; k < kPlaces; ++k) {
    const int i = changes[k].second;
    worst = std::max(worst, jump(poses[i - 1], poses[i], ground));
  }
  return worst;
}

// Bumps about as wide as the bodies, with ridges, valleys, peaks and saddles, as a field and as a mesh.
class OnBumps : public testing::TestWithParam<int> {};

// What remains at the finest step has to vanish with it: slopes of up to 1e6 of the force per size are seen as 1e-3.
TEST_P(OnBumps, NoPartOfTheWrenchJumps) {
  Random random(5);
  const auto bumpy = [&](double, double) { return random.uniform(0, 0.04); };
  const Collider terrain = make_collider(height_field(15, 15, {3, 3, 1}, bumpy));
  Mesh mesh;
  for (int i = 0; i < terrain.terrain->triangle_count(); ++i) {
    mesh.triangles.push_back(surface_triangle(*terrain.terrain, i).vertex_index);
  }
  for (int v = 0; v < 15 * 15; ++v) mesh.vertices.push_back(terrain.terrain->vertex(v / 15, v % 15));
  const Collider as_mesh = mesh_collider(mesh);
  const Collider shape = convex_shapes()[GetParam()];
  for (const Collider* ground : {&terrain, &as_mesh}) {
    for (int path = 0; path < 16; ++path) {
      EXPECT_LT(largest_jump(shape, {ground}, path, random), 1e-3)
          << collider_kind_name(shape.kind) << " on " << collider_kind_name(ground->kind) << ", path " << path;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(SurfaceContacts, OnBumps, testing::Range(0, 6));

}  // namespace
}  // namespace stickslip
