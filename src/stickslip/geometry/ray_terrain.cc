#include <cmath>

#include "stickslip/geometry/ray_meeting.h"
#include "stickslip/geometry/terrain.h"

namespace stickslip {
namespace {

// The height of the surface along one of the terrain's outer edges: `axis` 0: at the end `side` of x, as a function of
// y; 1: the other way round.
double edge_height(const Terrain& terrain, int axis, bool upper_side, double coordinate) {
  const int points = axis == 0 ? terrain.rows : terrain.columns;
  const double place = (coordinate / terrain.size[1 - axis] + 0.5) * (points - 1);
  const int i = std::clamp(static_cast<int>(place), 0, points - 2);
  const int edge = upper_side ? (axis == 0 ? terrain.columns : terrain.rows) - 1 : 0;
  const auto height = [&](int k) { return axis == 0 ? terrain.height(k, edge) : terrain.height(edge, k); };
  return height(i) + (place - i) * (height(i + 1) - height(i));
}

void meet_walls(const Terrain& terrain, NearestMeeting& nearest) {
  const Ray ray = nearest.ray;
  const double base = -terrain.size.z();
  for (int axis = 0; axis < 2; ++axis) {
    for (const double side : {-0.5, 0.5}) {
      const double distance = (side * terrain.size[axis] - ray.origin[axis]) / ray.direction[axis];
      if (!std::isfinite(distance)) continue;
      const Vector3d point = ray.origin + distance * ray.direction;
      if (std::abs(point[1 - axis]) > 0.5 * terrain.size[1 - axis]) continue;
      const double top = edge_height(terrain, axis, side > 0, point[1 - axis]);
      if (point.z() < std::min(base, top) || point.z() > std::max(base, top)) continue;
      nearest.offer(distance, Vector3d::Unit(axis));
    }
  }
  const double distance = (base - ray.origin.z()) / ray.direction.z();
  if (!std::isfinite(distance)) return;
  const Vector3d point = ray.origin + distance * ray.direction;
  if (std::abs(point.x()) <= 0.5 * terrain.size.x() && std::abs(point.y()) <= 0.5 * terrain.size.y()) {
    nearest.offer(distance, Vector3d::UnitZ());
  }
}

void meet_cell(const Terrain& terrain, int row, int column, NearestMeeting& nearest) {
  for (int half = 0; half < 2; ++half) {
    const Vector3d a = terrain.vertex(row, column), c = terrain.vertex(row + 1, column + 1);
    const Vector3d b = half == 0 ? terrain.vertex(row, column + 1) : c;
    const Vector3d d = half == 0 ? c : terrain.vertex(row + 1, column);
    const Vector3d normal = (b - a).cross(d - a).normalized();
    nearest.offer(triangle_distance(nearest.ray, normal, {a, b, d}), normal);
  }
}

// One axis of a walk over the cells of the grid.
struct Walk {
  int cell, step, cells;
  double next, period;  // the distance at which the next cell begins, and between beginnings

  Walk(double origin, double direction, double start, double size, int number) : cells(number) {
    const double side = size / cells;
    const double place = origin + start * direction + size / 2;
    cell = static_cast<int>(std::clamp(std::floor(place / side), 0.0, cells - 1.0));
    step = direction > 0 ? 1 : direction < 0 ? -1 : 0;
    period = step != 0 ? side / std::abs(direction) : std::numeric_limits<double>::infinity();
    const double border = (cell + (step > 0 ? 1 : 0)) * side - size / 2;
    next = step != 0 ? (border - origin) / direction : std::numeric_limits<double>::infinity();
  }
  bool advance() {
    cell += step;
    next += period;
    return cell >= 0 && cell < cells;
  }
};

void meet_top(const Terrain& terrain, NearestMeeting& nearest) {
  const Ray& ray = nearest.ray;
  const Vector3d lower(-terrain.size.x() / 2, -terrain.size.y() / 2, terrain.min_height);
  const Vector3d upper(terrain.size.x() / 2, terrain.size.y() / 2, terrain.max_height);
  const double rounding = 1e-12 * (upper - lower).norm();
  const RaySpan span = box_span(ray, lower.array() - rounding, upper.array() + rounding);
  const double start = std::max(span.enter, 0.0), end = span.leave;
  if (span.empty() || end < 0 || start > ray.max_distance) return;
  Walk x(ray.origin.x(), ray.direction.x(), start, terrain.size.x(), terrain.cell_columns());
  Walk y(ray.origin.y(), ray.direction.y(), start, terrain.size.y(), terrain.cell_rows());
  while (true) {
    meet_cell(terrain, y.cell, x.cell, nearest);
    // A hit in an earlier cell is nearer than all that follow.
    Walk& first = x.next < y.next ? x : y;
    if (!(first.next <= std::min(end, ray.max_distance)) || !first.advance()) return;
  }
}

}  // namespace

void meet_terrain(const Terrain& terrain, NearestMeeting& nearest) {
  meet_top(terrain, nearest);
  meet_walls(terrain, nearest);
}

}  // namespace stickslip
