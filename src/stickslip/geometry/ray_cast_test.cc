#include "stickslip/geometry/ray_cast.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/geometry/collider_testing.h"
#include "stickslip/model/forest_testing.h"

namespace stickslip {
namespace {

using collider_testing::box_mesh;
using collider_testing::height_field;
using collider_testing::mesh_collider;
using forest_testing::Random;

constexpr double kRoundOff = 1e-12;  // of coordinates near 1

// How far inside (negative) a point is: zero on the surface. Not a distance, but it changes sign where one would.
double implicit(const Collider& c, const Vector3d& p) {
  const double across = p.head<2>().norm();
  switch (c.kind) {
    case ColliderKind::kHalfSpace:
      return p.z();
    case ColliderKind::kSphere:
      return p.norm() - c.radius();
    case ColliderKind::kCapsule:
      return Eigen::Vector2d(across, std::max(0.0, std::abs(p.z()) - c.half.z())).norm() - c.radius();
    case ColliderKind::kCylinder:
      return std::max(across - c.radius(), std::abs(p.z()) - c.half.z());
    case ColliderKind::kEllipsoid:
      return (p.cwiseQuotient(c.half).norm() - 1) * c.half.minCoeff();
    default:
      return (p.cwiseAbs() - c.box.upper).maxCoeff();
  }
}

std::vector<Collider> solids() {
  return {make_collider(HalfSpace{}),
          make_collider(Sphere{0.5}),
          make_collider(Capsule{0.3, 0.8}),
          make_collider(Box{{0.6, 1, 1.4}}),
          make_collider(Cylinder{0.4, 1}),
          make_collider(Ellipsoid{{0.3, 0.5, 0.8}}),
          make_hull_collider(box_mesh({0.3, 0.5, 0.7}))};
}

// The hit is on the surface, nothing before it is, and the normal is the gradient there.
TEST(RayCast, FindsTheFirstChangeOfSignOfTheShape) {
  Random random(1);
  for (const Collider& shape : solids()) {
    int hits = 0;
    for (int i = 0; i < 2000; ++i) {
      const Pose X = random.pose();
      const Placed placed{&shape, X.rotation, X.position};
      const Vector3d origin = X * random.vector(1.2), target = X * random.vector(0.5);
      const Ray ray{origin, (target - origin).normalized(), 2.0};
      const auto value = [&](double t) { return implicit(shape, X.inverse() * (ray.origin + t * ray.direction)); };
      const auto hit = ray_cast(placed, ray);
      hits += hit.has_value();
      const double end = hit ? hit->distance : ray.max_distance;
      const double start = value(0);
      for (int k = 1; k < 200; ++k) {
        const double here = value(end * k / 200);
        EXPECT_GT(here * start, -1e-9) << "missed a surface, shape " << static_cast<int>(shape.kind);
      }
      if (!hit) continue;
      EXPECT_NEAR(value(hit->distance), 0, kRoundOff);
      EXPECT_LT((hit->point - ray.origin - hit->distance * ray.direction).norm(), kRoundOff);
      EXPECT_NEAR(hit->normal.norm(), 1, kRoundOff);
      EXPECT_LE(hit->normal.dot(ray.direction), 0);
      const double h = 1e-6;
      const Vector3d local = X.inverse() * hit->point;
      const Vector3d n = X.rotation.transpose() * hit->normal;
      Vector3d gradient;
      for (int k = 0; k < 3; ++k) {
        gradient[k] = implicit(shape, local + h * Vector3d::Unit(k)) - implicit(shape, local - h * Vector3d::Unit(k));
      }
      // Central differences straddle the edges of boxes and cylinders in one of 1e5 rays at most.
      if (gradient.norm() > h) {
        EXPECT_GT(std::abs(n.dot(gradient.normalized())), 1 - 1e-6);
      }
    }
    EXPECT_GT(hits, 400);
  }
}

TEST(RayCast, AxisParallelRaysAlongFacesAndAxes) {
  for (const Collider& shape : solids()) {
    const Placed placed{&shape};
    for (int axis = 0; axis < 3; ++axis) {
      for (const double sign : {-1.0, 1.0}) {
        const Ray outside{-3 * sign * Vector3d::Unit(axis), sign * Vector3d::Unit(axis)};
        const auto hit = ray_cast(placed, outside);
        if (shape.kind == ColliderKind::kHalfSpace) {
          EXPECT_EQ(hit.has_value(), axis == 2);
          continue;
        }
        const double reach =
            shape.half[axis] + (shape.kind == ColliderKind::kCapsule && axis == 2 ? shape.radius() : 0);
        ASSERT_TRUE(hit);
        EXPECT_NEAR(hit->distance, 3 - reach, kRoundOff);
        EXPECT_LT((hit->normal + outside.direction).norm(), kRoundOff);
        const auto inside = ray_cast(placed, {Vector3d::Zero(), outside.direction});
        ASSERT_TRUE(inside);
        EXPECT_NEAR(inside->distance, reach, kRoundOff);
        EXPECT_LT((inside->normal + outside.direction).norm(), kRoundOff);
        EXPECT_FALSE(ray_cast(placed, {Vector3d::Constant(3), outside.direction}));
        EXPECT_FALSE(ray_cast(placed, {outside.origin, outside.direction, 1.9}));
      }
    }
  }
}

// A shape without size is missed or hit, but the answer is a number.
TEST(RayCast, ShapesWithoutSizeGiveNoNan) {
  for (const Shape& empty : std::vector<Shape>{Sphere{}, Capsule{}, Box{}, Cylinder{}, Ellipsoid{}}) {
    const Collider shape = make_collider(empty);
    for (const Vector3d& d : {Vector3d(1, 0, 0), Vector3d(0, 0, 1), Vector3d(0.6, 0, 0.8)}) {
      const auto hit = ray_cast({&shape}, {-d, d});
      if (hit) {
        EXPECT_TRUE(std::isfinite(hit->distance) && hit->normal.allFinite());
      }
    }
  }
}

TEST(RayCast, SheetOfAHullIsHitOnlyWhereItIs) {
  const Collider shape = make_hull_collider({.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}});
  const auto hit = ray_cast({&shape}, {{0.2, 0.2, 1}, -Vector3d::UnitZ()});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->distance, 1);
  EXPECT_EQ(hit->normal, Vector3d::UnitZ());
  EXPECT_FALSE(ray_cast({&shape}, {{0.7, 0.7, 1}, -Vector3d::UnitZ()}));
}

// A closed mesh of a box is the box, seen from outside and from inside.
TEST(RayCast, MeshOfABoxIsTheBox) {
  const Vector3d half(0.3, 0.5, 0.7);
  const Collider mesh = mesh_collider(box_mesh(half)), box = make_collider(Box{2 * half});
  Random random(2);
  for (int i = 0; i < 5000; ++i) {
    const Pose X = random.pose();
    const Ray ray{X * random.vector(), random.direction()};
    const auto a = ray_cast({&mesh, X.rotation, X.position}, ray), b = ray_cast({&box, X.rotation, X.position}, ray);
    ASSERT_EQ(a.has_value(), b.has_value());
    if (!a) continue;
    EXPECT_NEAR(a->distance, b->distance, kRoundOff);
    EXPECT_LT((a->normal - b->normal).norm(), kRoundOff);
  }
}

// No ray slips between two triangles: all those straight at edges and vertices of a closed surface hit.
TEST(RayCast, NoGapsBetweenTriangles) {
  Random random(3);
  const Mesh mesh = box_mesh({0.31, 0.47, 0.73});
  const Collider shape = mesh_collider(mesh);
  for (int i = 0; i < 20000; ++i) {
    const auto& t = mesh.triangles[i % 12];
    const double s = i % 7 == 0 ? 0 : random.uniform(0, 1);
    const Vector3d target = (1 - s) * mesh.vertices[t[i % 3]] + s * mesh.vertices[t[(i + 1) % 3]];
    const Vector3d origin = 0.1 * random.vector();
    EXPECT_TRUE(ray_cast({&shape}, {origin, (target - origin).normalized()}));
  }
}

Mesh closed_terrain_mesh(const Terrain& terrain);

// Walking over cells finds what testing every triangle of top, walls and base does.
TEST(RayCast, TerrainIsItsClosedMesh) {
  Random random(4);
  for (int scene = 0; scene < 5; ++scene) {
    const Collider shape =
        make_collider(height_field(9, 6, {2, 3, scene * 0.1}, [&](double, double) { return random.uniform(0, 0.5); }));
    const Collider mesh = mesh_collider(closed_terrain_mesh(*shape.terrain));
    int hits = 0;
    for (int i = 0; i < 4000; ++i) {
      Ray ray{random.vector(2), random.direction()};
      if (i % 4 == 0) ray.direction = Vector3d::Unit(i / 4 % 3) * (i % 8 ? 1 : -1);
      const auto a = ray_cast({&shape}, ray), b = ray_cast({&mesh}, ray);
      ASSERT_EQ(a.has_value(), b.has_value()) << scene << " " << i;
      hits += a.has_value();
      if (!a) continue;
      EXPECT_NEAR(a->distance, b->distance, 1e-10);
      EXPECT_LT((a->normal - b->normal).norm(), 1e-9);
    }
    EXPECT_GT(hits, 500);
  }
}

Mesh closed_terrain_mesh(const Terrain& terrain) {
  Mesh mesh;
  const auto quad = [&mesh](const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
    const int i = static_cast<int>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), {a, b, c, d});
    mesh.triangles.push_back({i, i + 1, i + 2});
    mesh.triangles.push_back({i, i + 2, i + 3});
  };
  const auto top = [&](int r, int c) { return terrain.vertex(r, c); };
  const auto low = [&](int r, int c) { return Vector3d(top(r, c).x(), top(r, c).y(), -terrain.size.z()); };
  const int R = terrain.rows - 1, C = terrain.columns - 1;
  for (int r = 0; r < R; ++r) {
    for (int c = 0; c < C; ++c) quad(top(r, c), top(r, c + 1), top(r + 1, c + 1), top(r + 1, c));
    for (const int c : {0, C}) quad(low(r, c), low(r + 1, c), top(r + 1, c), top(r, c));
  }
  for (int c = 0; c < C; ++c) {
    for (const int r : {0, R}) quad(low(r, c), low(r, c + 1), top(r, c + 1), top(r, c));
  }
  quad(low(0, 0), low(R, 0), low(R, C), low(0, C));
  return mesh;
}

}  // namespace
}  // namespace stickslip
