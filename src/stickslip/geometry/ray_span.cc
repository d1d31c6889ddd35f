#include "stickslip/geometry/ray_span.h"

#include <cmath>

namespace stickslip {
namespace {

// A direction that is shorter than this across an axis is parallel to it: it would take 1e150 lengths to get anywhere.
constexpr double kParallel = 1e-150;

// The point at distance t.
Vector3d at(const Ray& ray, double t) { return ray.origin + t * ray.direction; }

// An infinite cylinder about z.
RaySpan tube_span(const Ray& ray, double radius) {
  const Eigen::Vector2d o = ray.origin.head<2>();
  const double speed = ray.direction.head<2>().norm();  // across the axis
  if (speed < kParallel) return o.norm() <= radius ? whole_line() : RaySpan{};
  const Eigen::Vector2d d = ray.direction.head<2>() / speed;
  const double along = o.dot(d);
  const double square = radius * radius - (o - along * d).squaredNorm();
  if (square < 0) return {};
  const double half_chord = std::sqrt(square);
  RaySpan span{(-along - half_chord) / speed, (-along + half_chord) / speed};
  const Eigen::Vector2d foot = o - along * d;
  span.enter_normal << foot - half_chord * d, 0;
  span.leave_normal << foot + half_chord * d, 0;
  span.enter_normal.normalize();
  span.leave_normal.normalize();
  return span;
}

bool is_inside_polygon(const Hull& hull, const Hull::Face& face, const Vector3d& point) {
  for (int i = 0; i < face.count; ++i) {
    const Vector3d& a = hull.vertices[hull.face_vertices[face.first + i]];
    const Vector3d& b = hull.vertices[hull.face_vertices[face.first + (i + 1) % face.count]];
    if ((b - a).cross(point - a).dot(face.normal) < 0) return false;
  }
  return true;
}

// Two faces back to back bound the line in one direction only.
bool is_sheet(const Hull& hull) { return hull.faces.size() == 2; }

}  // namespace

RaySpan whole_line() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {-kInfinity, kInfinity};
}

RaySpan common_part(const RaySpan& a, const RaySpan& b) {
  RaySpan common = a;
  if (b.enter > a.enter) common.enter = b.enter, common.enter_normal = b.enter_normal;
  if (b.leave < a.leave) common.leave = b.leave, common.leave_normal = b.leave_normal;
  return common;
}

RaySpan hull_of(const RaySpan& a, const RaySpan& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  RaySpan hull = a;
  if (b.enter < a.enter) hull.enter = b.enter, hull.enter_normal = b.enter_normal;
  if (b.leave > a.leave) hull.leave = b.leave, hull.leave_normal = b.leave_normal;
  return hull;
}

RaySpan half_space_span(const Ray& ray, const Vector3d& n, double offset) {
  const double height = n.dot(ray.origin) - offset, speed = n.dot(ray.direction);
  RaySpan span = whole_line();
  if (std::abs(speed) < kParallel) return height <= 0 ? span : RaySpan{};
  if (speed < 0) span.enter = -height / speed, span.enter_normal = n;
  if (speed > 0) span.leave = -height / speed, span.leave_normal = n;
  return span;
}

RaySpan ball_span(const Ray& ray, const Vector3d& center, double radius) {
  const Vector3d o = ray.origin - center;
  const double along = o.dot(ray.direction);
  const Vector3d foot = o - along * ray.direction;
  const double square = radius * radius - foot.squaredNorm();
  if (square < 0) return {};
  const double half_chord = std::sqrt(square);
  return {-along - half_chord, -along + half_chord, (foot - half_chord * ray.direction).normalized(),
          (foot + half_chord * ray.direction).normalized()};
}

RaySpan box_span(const Ray& ray, const Vector3d& lower, const Vector3d& upper) {
  RaySpan span = whole_line();
  for (int axis = 0; axis < 3; ++axis) {
    span = common_part(span, half_space_span(ray, Vector3d::Unit(axis), upper[axis]));
    span = common_part(span, half_space_span(ray, -Vector3d::Unit(axis), -lower[axis]));
  }
  return span;
}

RaySpan cylinder_span(const Ray& ray, double radius, double half_length) {
  const RaySpan below_top = half_space_span(ray, Vector3d::UnitZ(), half_length);
  const RaySpan above_bottom = half_space_span(ray, -Vector3d::UnitZ(), half_length);
  return common_part(common_part(tube_span(ray, radius), below_top), above_bottom);
}

// A capsule is the union of a cylinder and two balls, and convex: so is what a line has in common with it.
RaySpan capsule_span(const Ray& ray, double radius, double half_length) {
  const Vector3d end(0, 0, half_length);
  const RaySpan balls = hull_of(ball_span(ray, end, radius), ball_span(ray, -end, radius));
  return hull_of(balls, cylinder_span(ray, radius, half_length));
}

// Scaled to the unit ball, where the ray has another speed; normals scale inversely.
RaySpan ellipsoid_span(const Ray& ray, const Vector3d& radii) {
  if (!(radii.minCoeff() > 0)) return {};
  const Vector3d direction = ray.direction.cwiseQuotient(radii);
  const double speed = direction.norm();
  const Ray scaled{.origin = ray.origin.cwiseQuotient(radii), .direction = direction / speed};
  RaySpan span = ball_span(scaled, Vector3d::Zero(), 1);
  span.enter /= speed;
  span.leave /= speed;
  span.enter_normal = span.enter_normal.cwiseQuotient(radii).normalized();
  span.leave_normal = span.leave_normal.cwiseQuotient(radii).normalized();
  return span;
}

RaySpan hull_span(const Ray& ray, const Hull& hull) {
  if (hull.faces.empty()) return {};
  RaySpan span = whole_line();
  for (const Hull::Face& face : hull.faces) {
    span = common_part(span, half_space_span(ray, face.normal, face.offset));
    if (span.empty() && !is_sheet(hull)) return {};
  }
  if (!is_sheet(hull)) return span;
  // The planes of a sheet are one up to rounding.
  if (!std::isfinite(span.enter) || !is_inside_polygon(hull, hull.faces[0], at(ray, span.enter))) return {};
  span.leave = span.enter;
  return span;
}

}  // namespace stickslip
