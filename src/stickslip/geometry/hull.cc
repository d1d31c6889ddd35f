#include "stickslip/geometry/hull.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <tuple>

#include "stickslip/base/error.h"
#include "stickslip/geometry/flat_hull.h"
#include "stickslip/geometry/hull_faces.h"
#include "stickslip/geometry/smallest_length.h"
#include "stickslip/shapes/mesh_mass.h"

namespace stickslip {
namespace {

constexpr double kNoExtent = 1e-13;  // of the size: thinner than this is round-off of the coordinates

// How far the points reach: 0 a point, 1 a line, 2 a plane, 3 space, with the line's ends and the plane's normal.
struct Extent {
  int dimension = 0;
  int first = 0, second = 0;
  Vector3d normal = Vector3d::UnitZ();
};

template <typename Measure>
int farthest(const std::vector<Vector3d>& points, const Measure& measure) {
  int best = 0;
  double most = -1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double value = measure(points[i]);
    if (value > most) {
      most = value;
      best = static_cast<int>(i);
    }
  }
  return best;
}

Extent measure(const std::vector<Vector3d>& points) {
  Extent extent;
  extent.first = farthest(points, [&](const Vector3d& p) { return (p - points[0]).norm(); });
  const Vector3d& start = points[extent.first];
  extent.second = farthest(points, [&](const Vector3d& p) { return (p - start).norm(); });
  const Vector3d line = points[extent.second] - start;
  const double length = line.norm();
  const double nothing = kNoExtent * std::max(length, start.cwiseAbs().maxCoeff() * 1e-2);
  if (length <= nothing) return extent;
  extent.dimension = 1;
  const Vector3d along = line / length;
  const int third = farthest(points, [&](const Vector3d& p) { return along.cross(p - start).norm(); });
  const Vector3d across = along.cross(points[third] - start);
  if (across.norm() <= nothing) return extent;
  extent.dimension = 2;
  extent.normal = across.normalized();
  const int fourth = farthest(points, [&](const Vector3d& p) { return std::abs(extent.normal.dot(p - start)); });
  if (std::abs(extent.normal.dot(points[fourth] - start)) > nothing) extent.dimension = 3;
  return extent;
}

std::optional<Mesh> try_convex_hull(const std::vector<Vector3d>& points) {
  Mesh mesh;
  mesh.vertices = points;
  try {
    return convex_hull(mesh);
  } catch (const ModelError&) {
    return std::nullopt;  // too thin for qhull
  }
}

void set_vertices(std::vector<Vector3d> vertices, Hull& hull) {
  Vector3d lower = vertices[0], upper = vertices[0];
  for (const Vector3d& vertex : vertices) {
    lower = lower.cwiseMin(vertex);
    upper = upper.cwiseMax(vertex);
  }
  hull.center = 0.5 * (lower + upper);
  for (const Vector3d& vertex : vertices) hull.radius = std::max(hull.radius, (vertex - hull.center).norm());
  for (const Vector3d& vertex : vertices) {
    hull.x.push_back(vertex.x());
    hull.y.push_back(vertex.y());
    hull.z.push_back(vertex.z());
  }
  for (std::vector<double>* part : {&hull.x, &hull.y, &hull.z}) {
    while (part->size() % 4 != 0) part->push_back(part->back());
  }
  hull.vertices = std::move(vertices);
}

void make_sheet(const std::vector<Vector3d>& points, const Vector3d& normal, Hull& hull) {
  std::vector<int> all(points.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
  std::vector<Vector3d> corners;
  for (const int i : flat_hull(points, all, normal, 0)) corners.push_back(points[i]);
  set_vertices(std::move(corners), hull);
  add_sheet_faces(normal, hull);
}

void make_needle(const std::vector<Vector3d>& ends, Hull& hull) {
  set_vertices(ends, hull);
  hull.vertex_first.assign(ends.size() + 1, 0);
  if (ends.size() == 2) {
    hull.neighbor_first = {0, 1, 2};
    hull.vertex_neighbors = {1, 0};
  } else {
    hull.neighbor_first = {0, 0};
  }
}

// Each point once, in their order.
std::vector<Vector3d> distinct(const std::vector<Vector3d>& given) {
  std::vector<Vector3d> points(given.size());
  std::transform(given.begin(), given.end(), points.begin(), without_the_smallest);
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int i) { return std::tuple(points[i].x(), points[i].y(), points[i].z()); };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
  order.erase(std::unique(order.begin(), order.end(), [&](int a, int b) { return key(a) == key(b); }), order.end());
  std::sort(order.begin(), order.end());
  std::vector<Vector3d> out;
  out.reserve(order.size());
  for (const int i : order) out.push_back(points[i]);
  return out;
}

}  // namespace

Hull make_hull(const std::vector<Vector3d>& given) {
  const std::vector<Vector3d> points = distinct(given);
  Hull hull;
  const Extent extent = measure(points);
  if (extent.dimension == 0) {
    make_needle({points[extent.first]}, hull);
  } else if (extent.dimension == 1) {
    make_needle({points[extent.first], points[extent.second]}, hull);
  } else if (const auto solid = extent.dimension == 3 ? try_convex_hull(points) : std::nullopt) {
    set_vertices(solid->vertices, hull);
    add_faces(solid->triangles, hull);
  } else {
    make_sheet(points, extent.normal, hull);
  }
  return hull;
}

}  // namespace stickslip
