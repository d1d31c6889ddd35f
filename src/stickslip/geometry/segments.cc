#include "stickslip/geometry/segments.h"

#include <algorithm>

#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

double clamp_to(double t, double half_length) { return std::clamp(t, -half_length, half_length); }

}  // namespace

SegmentPoints nearest_points(const Segment& a, const Segment& b) {
  const Vector3d offset = b.center - a.center;
  const double cosine = a.axis.dot(b.axis);
  const double along_a = offset.dot(a.axis), along_b = offset.dot(b.axis);
  const double squared_sine = a.axis.cross(b.axis).squaredNorm();
  double t_a = 0;
  if (a.half_length > 0 && b.half_length > 0 && squared_sine > 1e-20)
    t_a = clamp_to((along_a - cosine * along_b) / squared_sine, a.half_length);
  // For parallel lines this walks to a common stretch of both, if there is one.
  const double t_b = clamp_to(cosine * t_a - along_b, b.half_length);
  t_a = clamp_to(cosine * t_b + along_a, a.half_length);
  return {t_a, clamp_to(cosine * t_a - along_b, b.half_length)};
}

Vector3d common_normal(const Segment& a, const Segment& b) {
  Vector3d normal = a.axis.cross(b.axis);
  if (a.half_length == 0 && b.half_length == 0) return a.axis;
  if (a.half_length == 0) normal = b.axis.cross(a.axis);
  // A second cross product removes what round-off left of the axes in that of nearly parallel ones.
  if (normal.norm() < 1e-8) normal = rotation_from_z(a.half_length > 0 ? a.axis : b.axis).col(0);
  normal.normalize();
  return normal.dot(b.center - a.center) < 0 ? Vector3d(-normal) : normal;
}

}  // namespace stickslip
