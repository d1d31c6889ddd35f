#include "stickslip/geometry/point_ellipsoid.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

// The nearest place is x_i = a_i^2 y_i / (t + a_i^2), where t is the largest root of |z(t)| = 1, z_i = a_i y_i / (t +
// a_i^2). It is beyond the largest pole, t > -min a_i^2, for points inside and outside. Newton's method on 1 / |z(t)|,
// which is nearly linear, from a place on its left; round-off makes its last steps some 1e-15 long, never shorter.
std::optional<Vector3d> nearest_normal(const Vector3d& radii, const Vector3d& point) {
  constexpr int kMaxIterations = 20;
  constexpr double kConverged = 1e-14, kNearPole = 1e-6;
  const double size = radii.maxCoeff();
  const Vector3d a = radii / size, y = point / size;  // squares of a small ellipsoid are none
  const Eigen::Array3d squares = a.array().square(), ay = (a.array() * y.array()).abs();
  const double pole = -squares.minCoeff();
  double t = (ay - squares).maxCoeff();  // where one z_i is 1
  for (int i = 0; i < kMaxIterations; ++i) {
    const Eigen::Array3d shifted = t + squares;
    if (!(t - pole > -kNearPole * pole)) return {};
    const Eigen::Array3d z = ay / shifted;
    const double length2 = z.square().sum(), length = std::sqrt(length2);
    const double step = (length - 1) * length2 / (z.square() / shifted).sum();
    t += step;
    if (!(std::abs(step) <= kConverged * (std::abs(t) - pole))) continue;
    const Vector3d normal = (y.array() / (t + squares)).matrix();
    const double norm = normal.norm();
    if (!(norm > 0) || !std::isfinite(norm) || !(t - pole > -kNearPole * pole)) return {};
    return Vector3d(normal / norm);
  }
  return {};
}

}  // namespace stickslip
