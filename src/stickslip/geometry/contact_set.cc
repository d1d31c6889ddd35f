#include "stickslip/geometry/contact_set.h"

namespace stickslip {

void ContactSet::clear() {
  patches.clear();
  point.clear();
  normal.clear();
  tangent.clear();
  distance.clear();
  weight.clear();
  pair.clear();
  feature.clear();
  geometry_a.clear();
  geometry_b.clear();
  material.clear();
}

// The rotation that takes z to the normal along the shortest arc takes x here.
Vector3d tangent_of(const Vector3d& normal) {
  const double x = normal.x(), y = normal.y(), z = normal.z();
  const double across = x * x + y * y;
  const double one_plus_z = z < 0 ? across / (1 - z) : 1 + z;  // without cancellation near -z
  if (one_plus_z < 1e-30) return {1, 0, 0};
  return {1 - x * x / one_plus_z, -x * y / one_plus_z, -x};
}

}  // namespace stickslip
