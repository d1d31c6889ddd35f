#include "stickslip/icf/contact_frame.h"

#include <cmath>

#include "stickslip/geometry/mjcf_pair.h"

namespace stickslip {
namespace {

// What one side brings: its coefficient across its grain, and an ellipse in the plane of contact.
struct SideGrain {
  double friction = 0;
  double ratio = 1;                  // of friction along the axis to that across it
  Vector3d axis = Vector3d::Zero();  // unit, in the plane; any if the ratio is 1

  // Share of `friction` along a unit vector of the plane.
  double along(const Vector3d& u) const {
    const double c = axis.dot(u);
    return std::sqrt(ratio * ratio * c * c + 1 - c * c);
  }
};

SideGrain side_grain(const CollisionGeometry& geometry, const Material& material, const Kinematics& kinematics,
                     const Vector3d& normal) {
  SideGrain side{.friction = in_physical_units(material, 1).static_friction};
  if (!material.grain) return side;
  const Vector3d direction = kinematics.pose[geometry.link].R * (geometry.X_LG.rotation * material.grain->direction);
  const Vector3d inside = direction - direction.dot(normal) * normal;
  const double cosine = inside.norm();
  if (!(cosine > 0)) return side;
  side.axis = inside / cosine;
  const double ratio = material.grain->friction_ratio;
  side.ratio = std::sqrt(ratio * ratio * cosine * cosine + 1 - cosine * cosine);
  return side;
}

double harmonic_mean(double a, double b) { return a + b > 0 ? 2 * a * b / (a + b) : 0; }

}  // namespace

Matrix3d contact_frame(const CollisionModel& collision, const Kinematics& kinematics, const ContactSet& contacts,
                       int i) {
  const Vector3d &n = contacts.normal[i], &tangent = contacts.tangent[i];
  const int pair = contacts.pair[i];
  Matrix3d frame;
  frame << tangent, n.cross(tangent), n;
  if (!contacts.material[pair].has_grain) return frame;
  const int a = contacts.geometry_a[pair], b = contacts.geometry_b[pair];
  const CollisionGeometry &first = collision.geometries[a], &second = collision.geometries[b];
  const Material* own = collision.own_material(a, b);
  const SideGrain of_a = side_grain(first, own ? *own : collision.materials[first.material], kinematics, n);
  SideGrain of_b = of_a;
  if (own)
    of_b.ratio = 1;  // the pair's grain is that of its first geometry
  else
    of_b = side_grain(second, collision.materials[second.material], kinematics, n);
  const double isotropic = harmonic_mean(of_a.friction, of_b.friction);
  const SideGrain& stronger = of_a.ratio <= of_b.ratio ? of_a : of_b;
  if (stronger.ratio == 1 || !(isotropic > 0)) return frame;
  const Vector3d x = stronger.axis, y = n.cross(x);
  const auto share = [&](const Vector3d& u) {
    if (own) return of_a.along(u);
    return harmonic_mean(of_a.friction * of_a.along(u), of_b.friction * of_b.along(u)) / isotropic;
  };
  frame.col(0) = share(x) * x;
  frame.col(1) = share(y) * y;
  return frame;
}

}  // namespace stickslip
