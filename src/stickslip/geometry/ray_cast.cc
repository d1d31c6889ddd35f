#include "stickslip/geometry/ray_cast.h"

#include <cmath>

#include "stickslip/geometry/ray_meeting.h"
#include "stickslip/geometry/triangle_surface.h"

namespace stickslip {
namespace {

// Boxes grow by the rounding of the distances compared, and are never missed for having no thickness.
bool meets(const Ray& ray, const Aabb& box) {
  constexpr double kSlack = 1e-14;
  double enter = 0, leave = ray.max_distance;
  for (int axis = 0; axis < 3; ++axis) {
    const double o = ray.origin[axis], d = ray.direction[axis];
    if (d == 0) {
      if (o < box.lower[axis] || o > box.upper[axis]) return false;
      continue;
    }
    const double to_lower = (box.lower[axis] - o) / d, to_upper = (box.upper[axis] - o) / d;
    enter = std::max(enter, std::min(to_lower, to_upper));
    leave = std::min(leave, std::max(to_lower, to_upper));
  }
  return enter <= leave + kSlack * std::abs(leave) + std::numeric_limits<double>::min();
}

void meet_surface(const TriangleSurface& surface, NearestMeeting& nearest) {
  visit_items(
      surface.tree, [&nearest](const Aabb& box) { return meets(nearest.ray, box); },
      [&](int index) {
        const auto& [a, b, c] = surface.triangles[index];
        const double distance = triangle_distance(nearest.ray, surface.normals[index],
                                                  {surface.vertices[a], surface.vertices[b], surface.vertices[c]});
        nearest.offer(distance, surface.normals[index]);
      });
}

void meet(const Collider& shape, NearestMeeting& nearest) {
  const Ray& ray = nearest.ray;
  switch (shape.kind) {
    case ColliderKind::kHalfSpace:
      return nearest.offer(half_space_span(ray, Vector3d::UnitZ(), 0));
    case ColliderKind::kSphere:
      return nearest.offer(ball_span(ray, Vector3d::Zero(), shape.radius()));
    case ColliderKind::kCapsule:
      return nearest.offer(capsule_span(ray, shape.radius(), shape.half.z()));
    case ColliderKind::kBox:
      return nearest.offer(box_span(ray, -shape.half, shape.half));
    case ColliderKind::kCylinder:
      return nearest.offer(cylinder_span(ray, shape.radius(), shape.half.z()));
    case ColliderKind::kEllipsoid:
      return nearest.offer(ellipsoid_span(ray, shape.half));
    case ColliderKind::kHull:
      return nearest.offer(hull_span(ray, *shape.hull));
    case ColliderKind::kTriangleMesh:
      return meet_surface(*shape.surface, nearest);
    case ColliderKind::kHeightField:
      return meet_terrain(*shape.terrain, nearest);
  }
}

}  // namespace

std::optional<RayHit> ray_cast(const Placed& placed, const Ray& ray) {
  NearestMeeting nearest{{.origin = placed.R.transpose() * (ray.origin - placed.p),
                          .direction = placed.R.transpose() * ray.direction,
                          .max_distance = ray.max_distance}};
  meet(*placed.shape, nearest);
  if (!nearest.found) return std::nullopt;
  const double distance = nearest.ray.max_distance;
  if (!std::isfinite(distance)) return std::nullopt;
  const Vector3d normal = placed.R * nearest.normal;
  return RayHit{distance, ray.origin + distance * ray.direction,
                normal.dot(ray.direction) > 0 ? Vector3d(-normal) : normal};
}

}  // namespace stickslip
