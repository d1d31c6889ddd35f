#include <algorithm>
#include <cmath>

#include "stickslip/geometry/primitive_separation.h"
#include "stickslip/geometry/segments.h"

namespace stickslip {
namespace {

// The nearest point of a solid's surface to a point, in the solid's frame.
struct NearestSurface {
  Vector3d point;
  Vector3d outward;     // unit
  double distance = 0;  // negative inside
};

NearestSurface nearest_on_box(const Vector3d& c, const Vector3d& half) {
  const Vector3d clamped = c.cwiseMax(-half).cwiseMin(half);
  const Vector3d offset = c - clamped;
  const double distance = offset.norm();
  if (distance > 0) return {clamped, offset / distance, distance};
  int axis = 0;
  (half - c.cwiseAbs()).minCoeff(&axis);
  NearestSurface out{c, Vector3d::Zero(), std::abs(c[axis]) - half[axis]};
  out.outward[axis] = c[axis] >= 0 ? 1 : -1;
  out.point[axis] = std::copysign(half[axis], c[axis]);
  return out;
}

NearestSurface nearest_on_cylinder(const Vector3d& c, double radius, double half_length) {
  const double across = std::hypot(c.x(), c.y());
  const Vector3d radial = across > 1e-200 ? Vector3d(c.x() / across, c.y() / across, 0) : Vector3d::UnitX();
  const double outside_r = across - radius, outside_z = std::abs(c.z()) - half_length;
  const Vector3d axial(0, 0, c.z() >= 0 ? 1 : -1);
  if (outside_r > 0 && outside_z > 0) {
    const Vector3d rim = radius * radial + half_length * axial;
    const Vector3d offset = c - rim;
    return {rim, offset.normalized(), offset.norm()};
  }
  if (outside_r > outside_z) return {radius * radial + Vector3d(0, 0, c.z()), radial, outside_r};
  return {Vector3d(c.x(), c.y(), half_length * axial.z()), axial, outside_z};
}

Separation from_nearest(const Placed& sphere, const Placed& solid, const NearestSurface& nearest) {
  Separation out;
  out.distance = nearest.distance - sphere.shape->radius();
  out.normal = -(solid.R * nearest.outward);
  out.point_b = solid.R * nearest.point + solid.p;
  out.point_a = out.point_b - out.distance * out.normal;
  return out;
}

// The direction from one axis to the other, of length `gap`: across every axis of which the nearest point is no end.
// Where the axes nearly cross the offset is short, and round-off along them would turn it.
Vector3d direction_between(const Segment& a, const Segment& b, const SegmentPoints& nearest, const Vector3d& offset) {
  const bool inside_a = std::abs(nearest.t_a) < a.half_length, inside_b = std::abs(nearest.t_b) < b.half_length;
  const Vector3d across = a.axis.cross(b.axis);
  constexpr double kParallel = 1e-6;  // [rad]: then either axis stands for both
  if (inside_a && inside_b && across.norm() > kParallel) {
    return across.dot(offset) < 0 ? Vector3d(-across.normalized()) : across.normalized();
  }
  Vector3d direction = offset;
  if (inside_a) direction -= direction.dot(a.axis) * a.axis;
  if (inside_b && !inside_a) direction -= direction.dot(b.axis) * b.axis;
  return direction.normalized();
}

}  // namespace

Separation half_space_separation(const Placed& half_space, const Placed& convex) {
  Separation out;
  out.normal = half_space.R.col(2);
  out.point_b = support_point(convex, -out.normal);
  out.distance = out.normal.dot(out.point_b - half_space.p);
  out.point_a = out.point_b - out.distance * out.normal;
  return out;
}

Separation sphere_box_separation(const Placed& sphere, const Placed& box) {
  const Vector3d center = box.R.transpose() * (sphere.p - box.p);
  return from_nearest(sphere, box, nearest_on_box(center, box.shape->half));
}

Separation sphere_cylinder_separation(const Placed& sphere, const Placed& cylinder) {
  const Vector3d center = cylinder.R.transpose() * (sphere.p - cylinder.p);
  return from_nearest(sphere, cylinder,
                      nearest_on_cylinder(center, cylinder.shape->radius(), cylinder.shape->half.z()));
}

Separation round_separation(const Placed& a, const Placed& b) {
  const auto half_length = [](const Placed& x) {
    return x.shape->kind == ColliderKind::kSphere ? 0 : x.shape->half.z();
  };
  const Segment segment_a{a.p, a.R.col(2), half_length(a)}, segment_b{b.p, b.R.col(2), half_length(b)};
  const SegmentPoints nearest = nearest_points(segment_a, segment_b);
  const Vector3d on_a = segment_a.at(nearest.t_a), on_b = segment_b.at(nearest.t_b);
  const Vector3d offset = on_b - on_a;
  const double gap = offset.norm();
  const double scale = a.shape->radius() + b.shape->radius() + segment_a.half_length + segment_b.half_length;
  Separation out;
  out.distance = gap - a.shape->radius() - b.shape->radius();
  // Nearer than this the direction between the axes would be round-off.
  out.normal = gap > 1e-12 * scale ? direction_between(segment_a, segment_b, nearest, offset)
                                   : common_normal(segment_a, segment_b);
  out.point_a = on_a + a.shape->radius() * out.normal;
  out.point_b = out.point_a + out.distance * out.normal;
  return out;
}

}  // namespace stickslip
