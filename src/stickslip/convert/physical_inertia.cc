#include "stickslip/convert/physical_inertia.h"

#include <algorithm>
#include <cmath>

namespace stickslip::convert {
namespace {

constexpr double kRoundOff = 1e-12;  // of the largest moment: what eigenvalues of a rounded matrix may miss

// The point of {0 <= a <= b <= c <= a + b} nearest to ascending moments. Where only the last bound is broken, it is the
// foot of the perpendicular on the plane c = a + b, which moves each by a third of the excess.
Vector3d nearest_possible(const Vector3d& given) {
  Vector3d m = given.cwiseMax(0);
  const double excess = m[2] - m[0] - m[1];
  if (excess <= 0) return m;
  m += Vector3d(excess / 3, excess / 3, -excess / 3);
  // Round-off may leave a last bit too much.
  while (m[0] + m[1] < m[2]) m[2] = std::nextafter(m[2], 0.0);
  return m;
}

}  // namespace

PhysicalInertia physical_inertia(const Matrix3d& inertia) {
  const PrincipalInertia principal = principal_inertia(inertia);
  PhysicalInertia out{.moments = nearest_possible(principal.moments), .axes = principal.axes};
  const double scale = principal.moments.cwiseAbs().maxCoeff();
  if (scale > 0) out.change = (out.moments - principal.moments).cwiseAbs().maxCoeff() / scale;
  out.changed = out.change > kRoundOff;
  return out;
}

}  // namespace stickslip::convert
