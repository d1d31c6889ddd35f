#include <cmath>
#include <numbers>

#include "stickslip/shapes/mass.h"
#include "stickslip/shapes/mesh_mass.h"

namespace stickslip {
namespace {

constexpr double kPi = std::numbers::pi;

// Exponent of Thomsen's formula for the area of an ellipsoid, right within 1.2 %.
constexpr double kThomsenExponent = 1.6075;

MassProperties about_z(double mass, double across, double along) {
  return {mass, Vector3d::Zero(), Vector3d(across, across, along).asDiagonal()};
}

struct ShellMass {
  double density;  // [kg/m^2]

  MassProperties operator()(const HalfSpace&) const { return {}; }
  MassProperties operator()(const Sphere& sphere) const {
    const double r2 = sphere.radius * sphere.radius;
    const double mass = density * 4 * kPi * r2;
    return about_z(mass, 2.0 / 3 * mass * r2, 2.0 / 3 * mass * r2);
  }
  MassProperties operator()(const Box& box) const {
    // A pair of opposite faces of area A at distance +-d/2 along each axis.
    double mass = 0;
    Vector3d second = Vector3d::Zero();
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      const double pair = 2 * density * box.size[i] * box.size[j];
      mass += pair;
      second[i] += pair * box.size[i] * box.size[i] / 12;
      second[j] += pair * box.size[j] * box.size[j] / 12;
      second[k] += pair * box.size[k] * box.size[k] / 4;
    }
    return {mass, Vector3d::Zero(), (Vector3d::Constant(second.sum()) - second).asDiagonal()};
  }
  MassProperties operator()(const Cylinder& cylinder) const {
    const double r2 = cylinder.radius * cylinder.radius, l2 = cylinder.length * cylinder.length;
    const double caps = density * 2 * kPi * r2;
    const double wall = density * 2 * kPi * cylinder.radius * cylinder.length;
    return about_z(caps + wall, caps * (r2 / 4 + l2 / 4) + wall * (r2 / 2 + l2 / 12), caps * r2 / 2 + wall * r2);
  }
  MassProperties operator()(const Capsule& capsule) const {
    const double r = capsule.radius, l = capsule.length, r2 = r * r;
    const double caps = density * 4 * kPi * r2;
    const double wall = density * 2 * kPi * r * l;
    // A hemisphere's centre of mass is r/2 away from its rim.
    const double across = caps * (2.0 / 3 * r2 + l * l / 4 + r * l / 2) + wall * (r2 / 2 + l * l / 12);
    return about_z(caps + wall, across, 2.0 / 3 * caps * r2 + wall * r2);
  }
  MassProperties operator()(const Ellipsoid& ellipsoid) const {
    const double a = ellipsoid.radii[0], b = ellipsoid.radii[1], c = ellipsoid.radii[2];
    const Vector3d powers = ellipsoid.radii.array().pow(kThomsenExponent);
    const double mean = (powers[0] * powers[1] + powers[1] * powers[2] + powers[2] * powers[0]) / 3;
    const double mass = density * 4 * kPi * std::pow(mean, 1 / kThomsenExponent);
    const Vector3d squares = ellipsoid.radii.cwiseAbs2();
    // A skin of the same thickness everywhere: what the solid's moments grow by as all radii grow alike.
    const double areas = a * b + b * c + c * a;
    const Vector3d second = squares + 2 * a * b * c / areas * ellipsoid.radii;
    return {mass, Vector3d::Zero(), (mass / 5 * (Vector3d::Constant(second.sum()) - second)).asDiagonal()};
  }
  MassProperties operator()(const ConvexMesh& shape) const { return of_mesh(convex_hull(*shape.mesh)); }
  MassProperties operator()(const TriangleMesh& shape) const { return of_mesh(*shape.mesh); }
  MassProperties operator()(const HeightField&) const { return {}; }

 private:
  MassProperties of_mesh(const Mesh& mesh) const {
    const MassProperties unit = mesh_mass_properties(mesh, MeshInertia::kShell);
    return with_mass(unit, density * unit.mass);
  }
};

}  // namespace

MassProperties shell_mass_properties(const Shape& shape, double surface_density) {
  return std::visit(ShellMass{surface_density}, shape);
}

}  // namespace stickslip
