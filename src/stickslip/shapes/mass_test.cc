#include "stickslip/shapes/mass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "stickslip/base/error.h"
#include "stickslip/shapes/mesh_mass.h"

namespace stickslip {
namespace {

constexpr double kRoundOff = 1e-12;  // sums of a few dozen products of numbers near 1

Mesh box_mesh(const Vector3d& size, const Vector3d& center) {
  Mesh mesh;
  for (int i = 0; i < 8; ++i) {
    const Vector3d corner((i & 1) - 0.5, ((i >> 1) & 1) - 0.5, ((i >> 2) & 1) - 0.5);
    mesh.vertices.push_back(center + size.cwiseProduct(corner));
  }
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

void expect_same(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  EXPECT_LT((a.center - b.center).norm(), tolerance);
  EXPECT_LT((a.inertia - b.inertia).norm(), tolerance * b.inertia.norm());
}

// Every way of filling a convex mesh gives the box it is.
TEST(MeshMassProperties, BoxMeshMatchesBoxInEverySolidMode) {
  const Vector3d size(1, 2, 3), center(4, -5, 6);
  const MassProperties box = expressed_in(Pose::at(center), mass_properties(Box{size}, 1));
  for (const MeshInertia mode : {MeshInertia::kExact, MeshInertia::kConvex, MeshInertia::kLegacy}) {
    expect_same(mesh_mass_properties(box_mesh(size, center), mode), box, kRoundOff);
  }
}

TEST(MeshMassProperties, ShellOfBoxMeshMatchesShellOfBox) {
  const Vector3d size(1, 2, 3);
  expect_same(mesh_mass_properties(box_mesh(size, Vector3d::Zero()), MeshInertia::kShell),
              shell_mass_properties(Box{size}, 1), kRoundOff);
}

TEST(MeshMassProperties, InsideOutMeshHasPositiveMass) {
  Mesh mesh = box_mesh({1, 1, 1}, {3, 0, 0});
  for (auto& triangle : mesh.triangles) std::swap(triangle[0], triangle[1]);
  EXPECT_NEAR(mesh_mass_properties(mesh, MeshInertia::kExact).mass, 1, kRoundOff);
}

// A mesh far from its origin keeps its digits: the error grows with distance, not with its square.
TEST(MeshMassProperties, FarMeshKeepsItsInertia) {
  const MassProperties near = mesh_mass_properties(box_mesh({1, 2, 3}, {0, 0, 0}), MeshInertia::kExact);
  const MassProperties far = mesh_mass_properties(box_mesh({1, 2, 3}, {1e6, 0, 0}), MeshInertia::kExact);
  // Vertices themselves are rounded to 1e6 * 1e-16.
  EXPECT_LT((near.inertia - far.inertia).norm(), 1e-8 * near.inertia.norm());
}

TEST(ConvexHull, DropsInnerVerticesAndFacesOutward) {
  Mesh mesh = box_mesh({1, 1, 1}, {0, 0, 0});
  mesh.vertices.push_back({0.1, 0.2, 0.3});
  mesh.triangles.clear();
  const Mesh hull = convex_hull(mesh);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.triangles.size(), 12u);
  for (const auto& [i, j, k] : hull.triangles) {
    const Vector3d& a = hull.vertices[static_cast<std::size_t>(i)];
    const Vector3d& b = hull.vertices[static_cast<std::size_t>(j)];
    const Vector3d& c = hull.vertices[static_cast<std::size_t>(k)];
    EXPECT_GT((b - a).cross(c - a).dot(a), 0);
  }
}

TEST(ConvexHull, FlatMeshIsAnError) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  try {
    convex_hull(mesh);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.code(), "flat-mesh");
  }
}

TEST(MassProperties, PrimitivesMatchTheirClosedForms) {
  EXPECT_NEAR(volume(Sphere{2}), 4.0 / 3 * std::numbers::pi * 8, kRoundOff * 40);
  EXPECT_NEAR(volume(Cylinder{2, 3}), std::numbers::pi * 12, kRoundOff * 40);
  EXPECT_NEAR(volume(Ellipsoid{{1, 2, 3}}), 8 * std::numbers::pi, kRoundOff * 40);
  EXPECT_TRUE(std::isinf(volume(HalfSpace{})));
  EXPECT_EQ(mass_properties(HalfSpace{}, 1000).mass, 0);
  EXPECT_NEAR(mass_properties(Ellipsoid{{1, 2, 3}}, 1).inertia(2, 2), 8 * std::numbers::pi * (1 + 4) / 5, 1e-11);
}

// Rings of a finely sliced body of revolution, integrated independently.
TEST(MassProperties, CapsuleMatchesSummedDisks) {
  const Capsule capsule{0.3, 0.8};
  const MassProperties closed = mass_properties(capsule, 7);
  MassProperties sum;
  constexpr int kSlices = 20000;
  const double half = capsule.length / 2 + capsule.radius, dz = 2 * half / kSlices;
  for (int i = 0; i < kSlices; ++i) {
    const double z = -half + (i + 0.5) * dz, beyond = std::max(0.0, std::abs(z) - capsule.length / 2);
    const double r2 = capsule.radius * capsule.radius - beyond * beyond, m = 7 * std::numbers::pi * r2 * dz;
    sum = sum + MassProperties{m, Vector3d(0, 0, z), Vector3d(m * r2 / 4, m * r2 / 4, m * r2 / 2).asDiagonal()};
  }
  expect_same(sum, closed, 1e-7);  // the midpoint rule's error, of order (dz / half)^2
}

// A skin is the difference between two solids that differ by its thickness.
TEST(ShellMassProperties, MatchesDifferenceOfTwoSolids) {
  constexpr double kThickness = 1e-6;
  const std::vector<std::pair<Shape, Shape>> pairs{
      {Sphere{0.3}, Sphere{0.3 + kThickness}},
      {Capsule{0.3, 0.8}, Capsule{0.3 + kThickness, 0.8}},
      {Cylinder{0.3, 0.8}, Cylinder{0.3 + kThickness, 0.8 + 2 * kThickness}},
      {Box{{1, 2, 3}}, Box{Vector3d(1, 2, 3).array() + 2 * kThickness}}};
  for (const auto& [inner, outer] : pairs) {
    const MassProperties shell = shell_mass_properties(inner, 1);
    const MassProperties a = mass_properties(inner, 1), b = mass_properties(outer, 1);
    // First order in the thickness over the smallest radius, plus cancellation.
    EXPECT_NEAR((b.mass - a.mass) / kThickness, shell.mass, 2e-5 * shell.mass);
    EXPECT_LT(((b.inertia - a.inertia) / kThickness - shell.inertia).norm(), 5e-5 * shell.inertia.norm());
  }
}

TEST(MassProperties, HeightFieldOfConstantHeightIsABox) {
  auto grid = std::make_shared<HeightGrid>(HeightGrid{3, 4, std::vector<double>(12, 0.5)});
  const MassProperties field = mass_properties(HeightField{grid, {2, 3, 0.25}}, 10);
  expect_same(field, expressed_in(Pose::at({0, 0, 0.125}), mass_properties(Box{{2, 3, 0.75}}, 10)), kRoundOff);
}

TEST(MassProperties, WithMassKeepsTheShapeOfTheInertia) {
  const MassProperties box = mass_properties(Box{{1, 2, 3}}, 1);
  const MassProperties scaled = with_mass(box, 12);
  EXPECT_EQ(scaled.mass, 12);
  EXPECT_LT((scaled.inertia - 2 * box.inertia).norm(), kRoundOff);
}

}  // namespace
}  // namespace stickslip
