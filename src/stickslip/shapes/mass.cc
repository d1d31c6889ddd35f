#include "stickslip/shapes/mass.h"

#include <limits>
#include <numbers>

#include "stickslip/shapes/mesh_mass.h"

namespace stickslip {
namespace {

constexpr double kPi = std::numbers::pi;

double cube(double x) { return x * x * x; }

// Diagonal inertia of a body symmetric about z.
MassProperties about_z(double mass, double across, double along) {
  return {mass, Vector3d::Zero(), Vector3d(across, across, along).asDiagonal()};
}

// The closed surface of a height field: top, walls and bottom.
Mesh closed_surface(const HeightField& field) {
  const int rows = field.grid->rows, columns = field.grid->columns;
  Mesh mesh;
  for (int layer = 0; layer < 2; ++layer) {
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        const double height = field.grid->heights[r * columns + c];
        mesh.vertices.emplace_back(field.size.x() * (c / (columns - 1.0) - 0.5),
                                   field.size.y() * (r / (rows - 1.0) - 0.5), layer == 0 ? height : -field.size.z());
      }
    }
  }
  const auto quad = [&mesh](int a, int b, int c, int d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  const int below = rows * columns;
  for (int r = 0; r + 1 < rows; ++r) {
    for (int c = 0; c + 1 < columns; ++c) {
      const int i = r * columns + c;
      quad(i, i + 1, i + columns + 1, i + columns);
      quad(below + i, below + i + columns, below + i + columns + 1, below + i + 1);
    }
    const int left = r * columns, right = left + columns - 1;
    quad(left, left + columns, below + left + columns, below + left);
    quad(right + columns, right, below + right, below + right + columns);
  }
  for (int c = 0; c + 1 < columns; ++c) {
    const int front = c, back = (rows - 1) * columns + c;
    quad(front + 1, front, below + front, below + front + 1);
    quad(back, back + 1, below + back + 1, below + back);
  }
  return mesh;
}

struct SolidMass {
  double density;

  MassProperties operator()(const HalfSpace&) const { return {}; }
  MassProperties operator()(const Sphere& sphere) const {
    const double mass = density * 4 / 3 * kPi * cube(sphere.radius);
    const double inertia = 0.4 * mass * sphere.radius * sphere.radius;
    return about_z(mass, inertia, inertia);
  }
  MassProperties operator()(const Box& box) const {
    const double mass = density * box.size.prod();
    const Vector3d squares = box.size.cwiseAbs2();
    return {mass, Vector3d::Zero(), (mass / 12 * (Vector3d::Constant(squares.sum()) - squares)).asDiagonal()};
  }
  MassProperties operator()(const Cylinder& cylinder) const {
    const double r2 = cylinder.radius * cylinder.radius;
    const double mass = density * kPi * r2 * cylinder.length;
    return about_z(mass, mass * (3 * r2 + cylinder.length * cylinder.length) / 12, mass * r2 / 2);
  }
  MassProperties operator()(const Capsule& capsule) const {
    const double r = capsule.radius, l = capsule.length;
    const MassProperties middle = (*this)(Cylinder{r, l});
    const double caps = density * 4 / 3 * kPi * cube(r);
    // A half ball about the centre of its flat face has 2/5 m r^2; its centre of mass is 3/8 r away from the face.
    const double across = caps * (0.4 * r * r + 0.25 * l * l + 0.375 * r * l);
    return about_z(middle.mass + caps, middle.inertia(0, 0) + across, middle.inertia(2, 2) + 0.4 * caps * r * r);
  }
  MassProperties operator()(const Ellipsoid& ellipsoid) const {
    const double mass = density * 4 / 3 * kPi * ellipsoid.radii.prod();
    const Vector3d squares = ellipsoid.radii.cwiseAbs2();
    return {mass, Vector3d::Zero(), (mass / 5 * (Vector3d::Constant(squares.sum()) - squares)).asDiagonal()};
  }
  MassProperties operator()(const ConvexMesh& shape) const { return of_mesh(*shape.mesh, MeshInertia::kConvex); }
  MassProperties operator()(const TriangleMesh& shape) const { return of_mesh(*shape.mesh, MeshInertia::kExact); }
  MassProperties operator()(const HeightField& field) const {
    return of_mesh(closed_surface(field), MeshInertia::kExact);
  }

 private:
  MassProperties of_mesh(const Mesh& mesh, MeshInertia mode) const {
    const MassProperties unit = mesh_mass_properties(mesh, mode);
    return with_mass(unit, density * unit.mass);
  }
};

}  // namespace

MassProperties with_mass(const MassProperties& properties, double mass) {
  // Matter without volume keeps its place, and has no extent to give it inertia.
  if (properties.mass == 0) return {mass, properties.center, Matrix3d::Zero()};
  return {mass, properties.center, mass / properties.mass * properties.inertia};
}

double volume(const Shape& shape) {
  if (std::holds_alternative<HalfSpace>(shape)) return std::numeric_limits<double>::infinity();
  return std::visit(SolidMass{1.0}, shape).mass;
}

MassProperties mass_properties(const Shape& shape, double density) { return std::visit(SolidMass{density}, shape); }

}  // namespace stickslip
