#include "stickslip/geometry/surface_contacts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/geometry/collider_testing.h"
#include "stickslip/geometry/face_overlap.h"
#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

using collider_testing::box_mesh;
using collider_testing::convex_shapes;
using collider_testing::height_field;
using collider_testing::height_mesh;
using collider_testing::mesh_collider;
using forest_testing::Random;

// Force and moment about the body's origin of springs of unit stiffness.
Vector6d wrench_on(const Placed& body, const Vector3d& into_surface, const Vector3d& point, double distance,
                   double weight) {
  Vector6d wrench = Vector6d::Zero();
  if (distance >= 0) return wrench;
  const Vector3d force = weight * distance * into_surface;
  wrench << force, (point - body.p).cross(force);
  return wrench;
}

struct Contacts {
  std::vector<Manifold> manifolds;
  Vector6d wrench = Vector6d::Zero();
};

Contacts touch(const Placed& body, const Placed& surface, double reach = 0.01) {
  static SurfaceWorkspace workspace;
  Contacts contacts;
  surface_contacts(body, surface, reach, workspace, contacts.manifolds);
  for (const Manifold& m : contacts.manifolds) {
    for (int i = 0; i < m.count; ++i) {
      contacts.wrench += wrench_on(body, m.normal, m.points[i].point_a, m.points[i].distance, m.points[i].weight);
    }
  }
  return contacts;
}

Vector6d half_space_wrench(const Placed& body, const Placed& floor) {
  const Collider half_space = make_collider(HalfSpace{});
  const Placed plane{&half_space, floor.R, floor.p};
  Manifold m;
  make_manifold(plane, body, separation(plane, body), m);
  Vector6d wrench = Vector6d::Zero();
  for (int i = 0; i < m.count; ++i) {
    const Vector3d point = m.points[i].point_a + m.points[i].distance * m.normal;
    wrench += wrench_on(body, -m.normal, point, m.points[i].distance, m.points[i].weight);
  }
  return wrench;
}

// The body's faces that look at the floor, all of them over one plane.
Vector6d one_face_wrench(const Placed& body, const Placed& floor) {
  const Vector3d n = floor.R.col(2);
  SupportFaces faces;
  support_faces(body, -n, faces);
  Vector6d wrench = Vector6d::Zero();
  double sum = 0;
  for (int f = 0; f < faces.count; ++f) {
    OverlapPoints overlap;
    overlap_plane(faces.face[f], floor.p, n, overlap);
    const double scale = faces.face[f].share * overlap.perimeter;
    sum += scale;
    for (int i = 0; i < overlap.count; ++i) {
      const ManifoldPoint& p = overlap.points[i];
      wrench += wrench_on(body, -n, p.point_a + p.distance * n, p.distance, scale * p.weight);
    }
  }
  return wrench / sum;
}

// A half-space may choose the points on a disc freely, since nothing cuts it.
Vector6d floor_wrench(const Placed& body, const Placed& floor) {
  return body.shape->kind == ColliderKind::kCylinder ? one_face_wrench(body, floor) : half_space_wrench(body, floor);
}

// The body's pose with its lowest point (along the floor's normal) at the given height.
void set_height(const Placed& floor, double height, Placed& body) {
  const Vector3d n = floor.R.col(2);
  body.p += (height - n.dot(support_point(body, -n) - floor.p)) * n;
}

// A square of points jittered in the plane, joined by triangles of many shapes and sizes.
Mesh flat_floor(int n, Random& random) {
  Mesh mesh = height_mesh(n, n, {4, 4, 0}, [](double, double) { return 0; }, false);
  const double step = 4.0 / (n - 1);
  for (int i = 0; i < n * n; ++i) {
    const int r = i / n, c = i % n;
    if (r % (n - 1) == 0 || c % (n - 1) == 0) continue;
    mesh.vertices[i] += step * Vector3d(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 0);
  }
  return mesh;
}

// One of many ways a body may lie: nearly on a face, or anyhow; over a vertex or an edge of the floor, or anywhere.
Placed random_stance(const Collider& shape, const Placed& floor, const Mesh& mesh, int i, Random& random) {
  Placed body{&shape};
  const Quaterniond tilt = exp_quaternion(random.vector(i % 3 == 0 ? 0.02 : 1e-5));
  const Quaterniond lie = i % 2 ? exp_quaternion(0.5 * M_PI * Vector3d::Unit(i / 2 % 3)) : Quaterniond::Identity();
  body.R = (i % 5 == 0 ? random.rotation() : tilt * lie).toRotationMatrix();
  if (i % 7 == 0) body.R = lie.toRotationMatrix();
  const auto& t = mesh.triangles[random.uniform(0, 1) * mesh.triangles.size()];
  const Vector3d a = mesh.vertices[t[0]], b = mesh.vertices[t[1]];
  body.p = i % 4 == 0 ? a : i % 4 == 1 ? Vector3d(a + random.uniform(0, 1) * (b - a)) : random.vector(1);
  body.p = 0.3 * body.p;  // well inside
  if (i % 4 < 2) body.p = (a.norm() < 1 && b.norm() < 1) ? Vector3d(body.p / 0.3) : Vector3d(body.p);
  body.R = floor.R * body.R;
  body.p = floor.R * body.p + floor.p;
  set_height(floor, -random.uniform(0, 0.01), body);
  return body;
}

// A flat floor is a half-space, however it is divided: same force, same moment, one normal.
TEST(SurfaceContacts, FlatMeshIsAHalfSpace) {
  Random random(1);
  for (const int n : {2, 5, 12, 60}) {
    const Mesh mesh = flat_floor(n, random);
    const Collider floor_shape = mesh_collider(mesh);
    for (const Collider& shape : convex_shapes()) {
      for (int i = 0; i < 300; ++i) {
        const Pose X = i % 2 ? random.pose() : Pose{};
        const Placed floor{&floor_shape, X.rotation, X.position};
        const Placed body = random_stance(shape, floor, mesh, i, random);
        const Contacts contacts = touch(body, floor);
        const Vector6d expected = floor_wrench(body, floor);
        EXPECT_LT((contacts.wrench - expected).norm(), 1e-9)
            << collider_kind_name(shape.kind) << " on " << n << ", case " << i;
        EXPECT_EQ(contacts.manifolds.size(), 1u);
        for (const Manifold& m : contacts.manifolds) EXPECT_LT((m.normal + floor.R.col(2)).norm(), 1e-9);
      }
    }
  }
}

TEST(SurfaceContacts, FlatTerrainIsAHalfSpace) {
  Random random(2);
  for (const int n : {2, 7, 50}) {
    const auto level = [](double, double) { return 0.0; };
    const Collider terrain = make_collider(height_field(n, n + 1, {4, 4, 0.1}, level));
    const Mesh mesh = height_mesh(n, n + 1, {4, 4, 0.1}, level);
    for (const Collider& shape : convex_shapes()) {
      for (int i = 0; i < 200; ++i) {
        const Pose X = i % 2 ? random.pose() : Pose{};
        const Placed floor{&terrain, X.rotation, X.position};
        const Placed body = random_stance(shape, floor, mesh, i, random);
        const Contacts contacts = touch(body, floor);
        EXPECT_LT((contacts.wrench - floor_wrench(body, floor)).norm(), 1e-9)
            << collider_kind_name(shape.kind) << " on " << n << ", case " << i;
      }
    }
  }
}

// An uneven prism, 0.5 across. With many sides each corner has little weight and the deepest must be given more.
Collider prism(int sides) {
  Random random(4);
  Mesh cloud;
  for (int i = 0; i < 2 * sides; ++i) {
    const double angle = M_PI / sides * (i - i % 2 + random.uniform(0, 0.8));
    cloud.vertices.push_back({0.25 * std::cos(angle), 0.25 * std::sin(angle), i % 2 ? 0.1 : -0.1});
  }
  return make_hull_collider(cloud);
}

TEST(SurfaceContacts, FlatTerrainIsAHalfSpaceForHullsWhoseFacesMissTheDeepestVertex) {
  Random random(7);
  const auto level = [](double, double) { return 0.0; };
  const Collider terrain = make_collider(height_field(7, 8, {4, 4, 0.1}, level));
  const Mesh mesh = height_mesh(7, 8, {4, 4, 0.1}, level);
  for (const int sides : {5, 60}) {
    const Collider shape = prism(sides);
    for (int i = 0; i < 500; ++i) {
      const Placed floor{&terrain};
      const Placed body = random_stance(shape, floor, mesh, i, random);
      EXPECT_LT((touch(body, floor).wrench - half_space_wrench(body, floor)).norm(), 1e-9) << sides << ", case " << i;
    }
  }
}

// A roof along y, its sides falling by 30 degrees.
Mesh roof(int parts) {
  return height_mesh(parts + 1, 3, {4, 4, 0}, [](double x, double) { return -std::abs(x) * std::tan(M_PI / 6); });
}

// Over the ridge of a roof the normal of a ball turns from one side's to the other's, and it is never pushed along the
// ridge.
TEST(SurfaceContacts, BallOverARidge) {
  const Collider ball = make_collider(Sphere{0.25});
  for (const int parts : {1, 4}) {
    const Collider shape = mesh_collider(roof(parts));
    for (const double y : {0.0, 0.1, 0.5, 1.0}) {
      for (double x = -0.5; x <= 0.5; x += 0.001) {
        // At a distance of the radius less 1 mm from the roof.
        const double sine = 0.5, reach = 0.249;
        const double z = std::abs(x) < reach * sine ? std::sqrt(reach * reach - x * x)
                                                    : reach / std::cos(M_PI / 6) - std::abs(x) * std::tan(M_PI / 6);
        const Contacts contacts = touch({&ball, Matrix3d::Identity(), {x, y, z}}, {&shape});
        const double tilt = std::clamp(std::asin(std::clamp(x / reach, -1.0, 1.0)), -M_PI / 6, M_PI / 6);
        const Vector3d expected = 0.001 * Vector3d(std::sin(tilt), 0, std::cos(tilt));
        EXPECT_LT((contacts.wrench.head<3>() - expected).norm(), 1e-12) << x << " " << y;
      }
    }
  }
}

TEST(SurfaceContacts, BallInAGrooveHasTwoContacts) {
  const Collider ball = make_collider(Sphere{0.25});
  Mesh groove = height_mesh(5, 3, {4, 4, 0}, [](double x, double) { return std::abs(x); });
  const Collider shape = mesh_collider(groove);
  const Contacts contacts = touch({&ball, Matrix3d::Identity(), {0, 0.3, 0.249 * std::sqrt(2)}}, {&shape});
  EXPECT_EQ(contacts.manifolds.size(), 2u);
  for (const Manifold& m : contacts.manifolds) {
    EXPECT_EQ(m.count, 1);
    EXPECT_NEAR(m.points[0].weight, 1, 1e-12);
    EXPECT_NEAR(m.points[0].distance, -0.001, 1e-12);
    EXPECT_NEAR(m.normal.z(), -std::sqrt(0.5), 1e-12);
  }
}

// Over the peak of a pyramid with any number of sides there is one contact, straight up.
TEST(SurfaceContacts, BallOnAPeak) {
  const Collider ball = make_collider(Sphere{0.25});
  for (const int sides : {3, 4, 7, 100}) {
    Mesh mesh{.vertices = {{0, 0, 0}}};
    for (int i = 0; i < sides; ++i) {
      const double angle = 2 * M_PI * i / sides;
      mesh.vertices.push_back({std::cos(angle), std::sin(angle), -1});
      mesh.triangles.push_back({0, i + 1, (i + 1) % sides + 1});
    }
    const Collider shape = mesh_collider(mesh);
    for (const Vector3d& direction : {Vector3d(0, 0, 1), Vector3d(0.1, 0.05, 1).normalized()}) {
      const Contacts contacts = touch({&ball, Matrix3d::Identity(), 0.249 * direction}, {&shape});
      EXPECT_EQ(contacts.manifolds.size(), 1u);
      EXPECT_LT((contacts.wrench.head<3>() - 0.001 * direction).norm(), 1e-12) << sides;
    }
  }
}

// A box that slides off a table is pushed up, and sideways at most by what it hangs over less than it is deep.
TEST(SurfaceContacts, BoxOverATableEdgeIsPushedUp) {
  const Collider box = make_collider(Box{{0.4, 0.6, 0.3}});
  const Collider table = mesh_collider(box_mesh({1, 1, 0.5}));
  for (const double angle : {0.0, 0.4, 1.0}) {
    for (double x = 0.5; x < 1.15; x += 0.0037) {
      const Placed body{&box, exp_quaternion({0, 0, angle}).toRotationMatrix(), {x, 0.123, 0.5 + 0.15 - 0.001}};
      const Contacts contacts = touch(body, {&table});
      for (const Manifold& m : contacts.manifolds) EXPECT_LT((m.normal + Vector3d::UnitZ()).norm(), 1e-9) << x;
      EXPECT_NEAR(contacts.wrench[2], 0.001, 1e-12) << x;
    }
  }
}

// Large and small, deep and shallow, through hundreds of triangles: always numbers, and always a contact.
TEST(SurfaceContacts, AnySizeAndDepthGivesAnAnswer) {
  Random random(3);
  const auto bumpy = [](double x, double y) {
    return 0.15 + 0.05 * (std::sin(7 * x + y) + std::sin(11 * y) * std::cos(5 * x));
  };
  const Collider terrain = make_collider(height_field(20, 20, {4, 4, 1}, bumpy));
  const Collider mesh = mesh_collider(height_mesh(20, 20, {4, 4, 0}, bumpy));
  for (const Collider& surface : {terrain, mesh}) {
    for (const Collider& shape : convex_shapes()) {
      if (shape.kind == ColliderKind::kHull) continue;
      for (const double size : {1e-4, 1e-2, 1.0, 1e1, 1e3}) {
        Collider scaled = shape;
        scaled.half *= size;
        scaled.box = {size * shape.box.lower, size * shape.box.upper};
        for (int i = 0; i < 10; ++i) {
          Placed body{&scaled, random.rotation().toRotationMatrix(), 1.5 * random.vector()};
          const double depth = (i % 2 ? 0.01 : 0.7) * size;
          const Placed ground{&surface};
          // The lowest point in the ground, unless it hangs over its edge.
          const Vector3d lowest = support_point(body, -Vector3d::UnitZ());
          const bool over = lowest.head<2>().cwiseAbs().maxCoeff() < 2;
          body.p.z() += terrain.terrain->height_at(lowest.x(), lowest.y()) - depth - lowest.z();
          const Contacts contacts = touch(body, ground, 0.01 * size);
          EXPECT_TRUE(contacts.wrench.allFinite());
          for (const Manifold& m : contacts.manifolds) {
            EXPECT_NEAR(m.normal.norm(), 1, 1e-9);
            for (int k = 0; k < m.count; ++k) EXPECT_GE(m.points[k].weight, 0);
          }
          if (over && (surface.terrain || i % 2)) {
            EXPECT_GT(contacts.wrench.head<3>().norm(), 0) << collider_kind_name(shape.kind) << " " << size << " " << i;
          }
        }
      }
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------

// Moves a body along random paths over the ground, let down every 50 steps to where it is pressed with 5e-4 (a depth of
// about 1 mm), and returns the largest change of the wrench for the distance moved, that of the body's farthest points.
double roughness(const Collider& shape, const Placed& ground, double step, int paths) {
  Random random(6);
  double worst = 0;
  for (int path = 0; path < paths; ++path) {
    Placed body{&shape};
    const Quaterniond start = path % 2 ? random.rotation() : Quaterniond::Identity();
    const Vector3d turn = random.vector(path % 3 ? 0.5 : 0.02), from = random.vector(0.8), move = random.vector(0.3);
    Vector6d before = Vector6d::Zero();
    double height = 0;
    for (int i = 0; i * step < 1; ++i) {
      body.R = (exp_quaternion(i * step * turn) * start).toRotationMatrix();
      body.p = from + i * step * move;
      const bool let_down = i % 50 == 0;
      double low = 0, high = 1;
      while (let_down && high - low > 1e-6) {
        body.p.z() = height = 0.5 * (low + high);
        (touch(body, ground).wrench.norm() > 5e-4 ? low : high) = height;
      }
      body.p.z() = height;
      const Vector6d wrench = touch(body, ground).wrench;
      if (!let_down) worst = std::max(worst, (wrench - before).norm() / (step * (move.norm() + turn.norm() * 0.4)));
      before = wrench;
    }
  }
  return worst;
}

// With unit stiffness and constant weights the wrench would change by about the distance moved. Round bodies come
// close. Those with flat faces rest on several features of the ground at once, and where one of these gives way to the
// next the share of some triangles changes quickly.
TEST(SurfaceContacts, WrenchFollowsTheMotionOverBumpyGround) {
  Random random(5);
  const auto bumpy = [&](double, double) { return random.uniform(0, 0.03); };
  const Collider terrain = make_collider(height_field(21, 21, {3, 3, 1}, bumpy));
  Mesh mesh;
  for (int i = 0; i < terrain.terrain->triangle_count(); ++i) {
    mesh.triangles.push_back(surface_triangle(*terrain.terrain, i).vertex_index);
  }
  for (int v = 0; v < 441; ++v) mesh.vertices.push_back(terrain.terrain->vertex(v / 21, v % 21));
  const Collider as_mesh = mesh_collider(mesh);
  for (const Collider& shape : convex_shapes()) {
    const bool round = shape.kind == ColliderKind::kSphere || shape.kind == ColliderKind::kCapsule ||
                       shape.kind == ColliderKind::kEllipsoid;
    for (const Collider* ground : {&terrain, &as_mesh}) {
      const double rough = roughness(shape, {ground}, 5e-4, 2);
      EXPECT_LT(rough, round ? 1 : 3) << collider_kind_name(shape.kind) << " on " << collider_kind_name(ground->kind);
    }
  }
}

// After a first call of the same size.
TEST(SurfaceContacts, MemoryIsKept) {
  const auto wavy = [](double x, double y) { return 0.05 * std::sin(9 * x) * std::cos(7 * y); };
  const Collider terrain = make_collider(height_field(40, 40, {4, 4, 1}, wavy));
  const Collider box = make_collider(Box{{1, 1, 1}});
  SurfaceWorkspace workspace;
  std::vector<Manifold> manifolds;
  const Placed body{&box, exp_quaternion({0.1, 0.2, 0.3}).toRotationMatrix(), {0, 0, 0.5}};
  surface_contacts(body, {&terrain}, 0.01, workspace, manifolds);
  const auto sizes = [&] {
    return std::array{workspace.patches.capacity(),  workspace.parts.capacity(), workspace.points.capacity(),
                      workspace.gathered.capacity(), workspace.slots.capacity(), manifolds.capacity()};
  };
  const auto before = sizes();
  ASSERT_FALSE(manifolds.empty());
  manifolds.clear();
  surface_contacts(body, {&terrain}, 0.01, workspace, manifolds);
  EXPECT_EQ(sizes(), before);
}

}  // namespace
}  // namespace stickslip
