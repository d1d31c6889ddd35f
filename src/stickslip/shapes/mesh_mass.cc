#include "stickslip/shapes/mesh_mass.h"

#include <cmath>

namespace stickslip {
namespace {

// Volume integrals of a union of tetrahedra (or, for shells, of triangles): 1, x, x x'.
struct Moments {
  double volume = 0;
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
};

struct Triangle {
  Vector3d a, b, c;

  Vector3d center() const { return (a + b + c) / 3; }
  double area() const { return 0.5 * (b - a).cross(c - a).norm(); }
  // Of the tetrahedron over the triangle with its apex at the origin; positive if the triangle faces away from it.
  double volume() const { return a.dot(b.cross(c)) / 6; }
  Matrix3d corner_products() const {
    const Vector3d sum = a + b + c;
    return a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose();
  }
};

template <typename Visit>
void for_each_triangle(const Mesh& mesh, const Vector3d& origin, Visit visit) {
  for (const auto& [i, j, k] : mesh.triangles) {
    visit(Triangle{mesh.vertices[i] - origin, mesh.vertices[j] - origin, mesh.vertices[k] - origin});
  }
}

Vector3d surface_centroid(const Mesh& mesh, const Vector3d& near) {
  double area = 0;
  Vector3d first = Vector3d::Zero();
  for_each_triangle(mesh, near, [&](const Triangle& triangle) {
    area += triangle.area();
    first += triangle.area() * triangle.center();
  });
  return area > 0 ? Vector3d(near + first / area) : near;
}

// Integrals about `apex` of the tetrahedra between it and the triangles.
Moments solid_moments(const Mesh& mesh, const Vector3d& apex, bool count_all_positive) {
  Moments out;
  for_each_triangle(mesh, apex, [&](const Triangle& triangle) {
    const double volume = count_all_positive ? std::abs(triangle.volume()) : triangle.volume();
    out.volume += volume;
    out.first += volume * 0.75 * triangle.center();
    out.second += volume / 20 * triangle.corner_products();
  });
  return out;
}

Moments shell_moments(const Mesh& mesh, const Vector3d& origin) {
  Moments out;
  for_each_triangle(mesh, origin, [&](const Triangle& triangle) {
    const double area = triangle.area();
    out.volume += area;
    out.first += area * triangle.center();
    out.second += area / 12 * triangle.corner_products();
  });
  return out;
}

Matrix3d inertia_of(const Matrix3d& second) { return second.trace() * Matrix3d::Identity() - second; }

// Moments about the origin `about` become mass properties.
MassProperties mass_properties_from(const Moments& moments, const Vector3d& about) {
  if (moments.volume == 0) return {0, about, Matrix3d::Zero()};
  const Vector3d offset = moments.first / moments.volume;
  const Matrix3d second = moments.second - moments.volume * offset * offset.transpose();
  return {moments.volume, about + offset, inertia_of(second)};
}

// The centre of mass is taken with the surface's centroid as apex, then mass and inertia with the centre of mass as
// apex: on meshes that are not convex the order matters.
MassProperties legacy_mass_properties(const Mesh& mesh, const Vector3d& centroid) {
  const Moments about_centroid = solid_moments(mesh, centroid, true);
  if (about_centroid.volume == 0) return {0, centroid, Matrix3d::Zero()};
  const Vector3d center = centroid + about_centroid.first / about_centroid.volume;
  const Moments about_center = solid_moments(mesh, center, true);
  return {about_center.volume, center, inertia_of(about_center.second)};
}

}  // namespace

MassProperties mesh_mass_properties(const Mesh& mesh, MeshInertia mode) {
  if (mode == MeshInertia::kConvex) return mesh_mass_properties(convex_hull(mesh), MeshInertia::kExact);
  if (mesh.vertices.empty()) return {};
  // Integrals are taken about a point of the body, so that a mesh far from its origin loses no digits.
  const Vector3d centroid = surface_centroid(mesh, mesh.vertices.front());
  if (mode == MeshInertia::kLegacy) return legacy_mass_properties(mesh, centroid);
  if (mode == MeshInertia::kShell) return mass_properties_from(shell_moments(mesh, centroid), centroid);
  MassProperties out = mass_properties_from(solid_moments(mesh, centroid, false), centroid);
  if (out.mass < 0) {
    out.mass = -out.mass;
    out.inertia = -out.inertia;
  }
  return out;
}

}  // namespace stickslip
