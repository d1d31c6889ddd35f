#include "stickslip/geometry/hull_faces.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <unordered_map>

#include "stickslip/geometry/flat_hull.h"
#include "stickslip/geometry/hull_climb.h"

namespace stickslip {
namespace {

constexpr double kMergeCosine = 0.5;      // a thin plate's rim is not part of its top, however close
constexpr double kExactFlatness = 1e-14;  // of the size: one plane stands for the whole face
constexpr double kSliver = 1e-10;         // of the size: round-off turns the normal of a lower triangle

struct Triangles {
  const std::vector<std::array<int, 3>>& corners;
  std::vector<Vector3d> normal;            // zero where the triangle is degenerate
  std::vector<double> area;                // doubled
  std::vector<std::array<int, 3>> across;  // the triangle beyond the edge from corner k to k + 1; -1: none
};

std::vector<std::array<int, 3>> edge_neighbors(const std::vector<std::array<int, 3>>& corners) {
  std::unordered_map<std::uint64_t, int> owner;  // directed edge -> triangle
  const auto key = [](int from, int to) { return static_cast<std::uint64_t>(from) << 32 | static_cast<unsigned>(to); };
  owner.reserve(3 * corners.size());
  for (std::size_t t = 0; t < corners.size(); ++t) {
    for (int k = 0; k < 3; ++k) owner[key(corners[t][k], corners[t][(k + 1) % 3])] = static_cast<int>(t);
  }
  std::vector<std::array<int, 3>> across(corners.size());
  for (std::size_t t = 0; t < corners.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const auto found = owner.find(key(corners[t][(k + 1) % 3], corners[t][k]));
      across[t][k] = found == owner.end() ? -1 : found->second;
    }
  }
  return across;
}

Triangles prepare(const std::vector<std::array<int, 3>>& corners, const Hull& hull) {
  Triangles triangles{.corners = corners, .normal = {}, .area = {}, .across = edge_neighbors(corners)};
  for (const auto& [a, b, c] : corners) {
    const Vector3d& start = hull.vertices[a];
    const Vector3d normal = (hull.vertices[b] - start).cross(hull.vertices[c] - start);
    const double area = normal.norm();
    const double longest = std::sqrt(
        std::max({(hull.vertices[b] - start).squaredNorm(), (hull.vertices[c] - hull.vertices[b]).squaredNorm(),
                  (start - hull.vertices[c]).squaredNorm()}));
    triangles.area.push_back(area);
    const bool has_normal = area > kSliver * hull.radius * longest;
    triangles.normal.push_back(has_normal ? Vector3d(normal / area) : Vector3d::Zero());
  }
  return triangles;
}

// All triangles that can be reached from the seed without leaving its plane.
std::vector<int> grow(const Triangles& triangles, const Hull& hull, int seed, std::vector<int>& face_of, int face) {
  const double tolerance = kFlatness * hull.radius;
  const Vector3d normal = triangles.normal[seed];
  const double offset = normal.dot(hull.vertices[triangles.corners[seed][0]]);
  std::vector<int> region{seed};
  face_of[seed] = face;
  for (std::size_t next = 0; next < region.size(); ++next) {
    for (int k = 0; k < 3; ++k) {
      const int other = triangles.across[region[next]][k];
      if (other < 0 || face_of[other] >= 0) continue;
      const bool degenerate = triangles.normal[other].isZero(0);
      if (!degenerate && triangles.normal[other].dot(normal) < kMergeCosine) continue;
      const auto& corners = triangles.corners[other];
      if (!std::all_of(corners.begin(), corners.end(),
                       [&](int v) { return std::abs(normal.dot(hull.vertices[v]) - offset) <= tolerance; })) {
        continue;
      }
      face_of[other] = face;
      region.push_back(other);
    }
  }
  return region;
}

Vector3d polygon_normal(const std::vector<int>& polygon, const Hull& hull, const Vector3d& rough) {
  Vector3d sum = Vector3d::Zero();
  const Vector3d& start = hull.vertices[polygon[0]];
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k) {
    sum += (hull.vertices[polygon[k]] - start).cross(hull.vertices[polygon[k + 1]] - start);
  }
  const double length = sum.norm();
  return length > 0 ? Vector3d(sum / length) : rough;
}

double support_value(const Hull& hull, const Vector3d& direction) {
  return direction.dot(hull.vertices[support_vertex(hull, direction)]);
}

// A polygon with too many corners is cut into fans around its first one.
void add_polygon(const std::vector<int>& polygon, const Vector3d& normal, Hull& hull) {
  const int n = static_cast<int>(polygon.size());
  const double offset = support_value(hull, normal);
  for (int start = 1; start < n - 1; start += kMaxFaceVertices - 2) {
    const int end = std::min(start + kMaxFaceVertices - 1, n);
    hull.faces.push_back({.normal = normal,
                          .offset = offset,
                          .first = static_cast<int>(hull.face_vertices.size()),
                          .count = end - start + 1});
    hull.face_vertices.push_back(polygon[0]);
    hull.face_vertices.insert(hull.face_vertices.end(), polygon.begin() + start, polygon.begin() + end);
  }
}

std::vector<int> vertices_of(const std::vector<int>& region, const Triangles& triangles) {
  std::vector<int> vertices;
  for (const int t : region) {
    vertices.insert(vertices.end(), triangles.corners[t].begin(), triangles.corners[t].end());
  }
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

// The region's vertices that are not corners of its polygon. They are all of each face it was cut into.
void add_inner(const std::vector<int>& vertices, std::vector<int> polygon, int first_face, Hull& hull) {
  std::sort(polygon.begin(), polygon.end());
  const auto first = static_cast<int>(hull.inner_vertices.size());
  std::set_difference(vertices.begin(), vertices.end(), polygon.begin(), polygon.end(),
                      std::back_inserter(hull.inner_vertices));
  for (std::size_t face = first_face; face < hull.faces.size(); ++face) {
    hull.faces[face].inner_first = first;
    hull.faces[face].inner_count = static_cast<int>(hull.inner_vertices.size()) - first;
  }
}

// With its own support value as offset a plane never cuts into the hull, however poor the triangle it came from.
void add_plane(const Vector3d& normal, Hull& hull) {
  hull.plane_x.push_back(normal.x());
  hull.plane_y.push_back(normal.y());
  hull.plane_z.push_back(normal.z());
  hull.plane_offset.push_back(support_value(hull, normal));
}

bool is_flat(const std::vector<int>& vertices, const Vector3d& normal, const Hull& hull) {
  const double offset = support_value(hull, normal);
  return std::all_of(vertices.begin(), vertices.end(),
                     [&](int v) { return normal.dot(hull.vertices[v]) >= offset - kExactFlatness * hull.radius; });
}

// Those of the triangles, unless one plane stands for the whole face; the faces are told so.
void add_planes(const std::vector<int>& region, const std::vector<int>& vertices, const Triangles& triangles,
                const Vector3d& normal, int first_face, Hull& hull) {
  if (is_flat(vertices, normal, hull)) return add_plane(normal, hull);
  for (std::size_t face = first_face; face < hull.faces.size(); ++face) hull.faces[face].is_flat = false;
  for (const int t : region) {
    if (!triangles.normal[t].isZero(0)) add_plane(triangles.normal[t], hull);
  }
}

void pad_planes(Hull& hull) {
  while (!hull.plane_x.empty() && hull.plane_x.size() % 4 != 0) {
    for (std::vector<double>* part : {&hull.plane_x, &hull.plane_y, &hull.plane_z, &hull.plane_offset}) {
      part->push_back(part->back());
    }
  }
}

// `pairs` are (row, value): sorted, without repetition, as one list a row.
void compress(std::vector<std::pair<int, int>> pairs, int rows, std::vector<int>& first, std::vector<int>& values) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  first.assign(rows + 1, 0);
  values.clear();
  for (const auto& [row, value] : pairs) {
    ++first[row + 1];
    values.push_back(value);
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
}

void add_neighbors(Hull& hull) {
  std::vector<std::pair<int, int>> pairs;
  for (const Hull::Face& face : hull.faces) {
    for (int k = 0; k < face.count; ++k) {
      const int from = hull.face_vertices[face.first + k];
      const int to = hull.face_vertices[face.first + (k + 1) % face.count];
      pairs.emplace_back(from, to);
      pairs.emplace_back(to, from);
    }
  }
  compress(pairs, static_cast<int>(hull.vertices.size()), hull.neighbor_first, hull.vertex_neighbors);
}

void add_climbing(const std::vector<std::array<int, 3>>& triangles, Hull& hull) {
  std::vector<std::pair<int, int>> pairs;
  for (const auto& corners : triangles) {
    for (int k = 0; k < 3; ++k) {
      pairs.emplace_back(corners[k], corners[(k + 1) % 3]);
      pairs.emplace_back(corners[(k + 1) % 3], corners[k]);
    }
  }
  compress(pairs, static_cast<int>(hull.vertices.size()), hull.climb_first, hull.climb_neighbors);
  add_climb_start(hull);
}

}  // namespace

void add_faces(const std::vector<std::array<int, 3>>& corners, Hull& hull) {
  if (hull.vertices.size() > kMaxScannedVertices) add_climbing(corners, hull);
  const Triangles triangles = prepare(corners, hull);
  std::vector<int> by_area(corners.size());
  std::iota(by_area.begin(), by_area.end(), 0);
  std::stable_sort(by_area.begin(), by_area.end(), [&](int a, int b) { return triangles.area[a] > triangles.area[b]; });
  std::vector<int> region_of(corners.size(), -1);
  std::vector<std::pair<int, int>> vertex_faces;
  for (const int seed : by_area) {
    if (region_of[seed] >= 0 || triangles.normal[seed].isZero(0)) continue;
    const std::vector<int> region = grow(triangles, hull, seed, region_of, seed);
    const std::vector<int> vertices = vertices_of(region, triangles);
    const std::vector<int> polygon =
        flat_hull(hull.vertices, vertices, triangles.normal[seed], kFlatness * hull.radius);
    if (polygon.size() < 3) continue;
    const Vector3d normal = polygon_normal(polygon, hull, triangles.normal[seed]);
    const int first_face = static_cast<int>(hull.faces.size());
    add_polygon(polygon, normal, hull);
    add_inner(vertices, polygon, first_face, hull);
    add_planes(region, vertices, triangles, normal, first_face, hull);
    for (const int v : vertices) {
      for (int face = first_face; face < static_cast<int>(hull.faces.size()); ++face)
        vertex_faces.emplace_back(v, face);
    }
  }
  pad_planes(hull);
  compress(vertex_faces, static_cast<int>(hull.vertices.size()), hull.vertex_first, hull.vertex_faces);
  add_neighbors(hull);
}

void add_sheet_faces(const Vector3d& normal, Hull& hull) {
  std::vector<int> all(hull.vertices.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::pair<int, int>> vertex_faces;
  for (const Vector3d& side : {normal, Vector3d(-normal)}) {
    const std::vector<int> polygon = flat_hull(hull.vertices, all, side, kFlatness * hull.radius);
    if (polygon.size() >= 3) add_polygon(polygon, side, hull);
  }
  for (int face = 0; face < static_cast<int>(hull.faces.size()); ++face) {
    for (const int v : all) vertex_faces.emplace_back(v, face);
  }
  compress(vertex_faces, static_cast<int>(hull.vertices.size()), hull.vertex_first, hull.vertex_faces);
  add_neighbors(hull);
}

}  // namespace stickslip
