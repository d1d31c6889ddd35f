#pragma once

#include <algorithm>
#include <array>

#include "stickslip/geometry/ray_span.h"

namespace stickslip {

// The nearest meeting found so far; `ray.max_distance` shrinks to it.
struct NearestMeeting {
  Ray ray;
  Vector3d normal = Vector3d::Zero();
  bool found = false;

  void offer(double distance, const Vector3d& surface_normal) {
    if (!(distance >= 0 && distance <= ray.max_distance)) return;
    found = true;
    ray.max_distance = distance;
    normal = surface_normal;
  }
  void offer(const RaySpan& span) {
    if (span.empty()) return;
    offer(span.enter, span.enter_normal);
    offer(span.leave, span.leave_normal);
  }
};

// Both triangles at an edge accept a ray that passes within rounding of it, so that none slips through.
inline constexpr double kEdgeSlack = 1e-14;

// Distance to the triangle's plane if the ray passes through the triangle; else infinite.
inline double triangle_distance(const Ray& ray, const Vector3d& normal, const std::array<Vector3d, 3>& vertex) {
  constexpr double kMiss = std::numeric_limits<double>::infinity();
  const double speed = normal.dot(ray.direction);
  if (speed == 0) return kMiss;
  const std::array<Vector3d, 3> v = {vertex[0] - ray.origin, vertex[1] - ray.origin, vertex[2] - ray.origin};
  const double slack = kEdgeSlack * std::max({v[0].squaredNorm(), v[1].squaredNorm(), v[2].squaredNorm()});
  for (int k = 0; k < 3; ++k) {
    // On which side of the edge the ray passes, seen along it.
    const double side = v[k].cross(v[(k + 1) % 3]).dot(ray.direction);
    if ((speed > 0 ? side : -side) < -slack) return kMiss;
  }
  return normal.dot(v[0]) / speed;
}

void meet_terrain(const Terrain& terrain, NearestMeeting& nearest);

}  // namespace stickslip
