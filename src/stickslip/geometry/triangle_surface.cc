#include "stickslip/geometry/triangle_surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "stickslip/geometry/smallest_length.h"

namespace stickslip {
namespace {

using Corners = std::array<int, 3>;

// Maps points that are closer than `distance` to one number. A point is looked for in the cells of a grid within
// `distance` of it: nearly always one.
class Welder {
 public:
  Welder(const Vector3d& origin, double distance, std::size_t points) : origin_(origin), distance_(distance) {
    cell_ = 16 * distance;
    std::size_t slots = 16;
    while (slots < points) slots *= 2;
    heads_.assign(slots, -1);
  }

  int number_of(const Vector3d& point) {
    const Cell low = cell_of(point.array() - distance_), high = cell_of(point.array() + distance_);
    for (std::int64_t x = low[0]; x <= high[0]; ++x) {
      for (std::int64_t y = low[1]; y <= high[1]; ++y) {
        for (std::int64_t z = low[2]; z <= high[2]; ++z) {
          if (const int known = find(slot_of({x, y, z}), point); known >= 0) return known;
        }
      }
    }
    const std::size_t slot = slot_of(cell_of(point));
    points_.push_back(point);
    next_.push_back(heads_[slot]);
    heads_[slot] = static_cast<int>(points_.size()) - 1;
    return heads_[slot];
  }

  std::vector<Vector3d>& points() { return points_; }

 private:
  using Cell = std::array<std::int64_t, 3>;

  Cell cell_of(const Vector3d& point) const {
    const Vector3d scaled = (point - origin_) / cell_;
    return {std::llround(scaled.x()), std::llround(scaled.y()), std::llround(scaled.z())};
  }
  std::size_t slot_of(const Cell& cell) const {
    std::uint64_t hash = 0;
    for (const std::int64_t c : cell) {
      hash = (hash ^ static_cast<std::uint64_t>(c)) * 0x9E3779B97F4A7C15ull;
      hash ^= hash >> 29;
    }
    return hash & (heads_.size() - 1);
  }
  int find(std::size_t slot, const Vector3d& point) const {
    for (int i = heads_[slot]; i >= 0; i = next_[i]) {
      if ((points_[i] - point).cwiseAbs().maxCoeff() <= distance_) return i;
    }
    return -1;
  }

  Vector3d origin_;
  double distance_, cell_;
  std::vector<Vector3d> points_;
  std::vector<int> heads_, next_;
};

// Twice the area vector, or zero if the triangle is no higher than `flat` over its longest side.
Vector3d area_vector(const Vector3d& a, const Vector3d& b, const Vector3d& c, double flat) {
  const Vector3d area = (b - a).cross(c - a);
  const double longest = std::sqrt(std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()}));
  return area.norm() > flat * longest ? area : Vector3d::Zero();
}

// Which triangles are copies of earlier ones, looking the same way.
std::vector<bool> find_copies(const std::vector<Corners>& triangles) {
  std::vector<std::pair<Corners, int>> sorted;
  for (Corners t : triangles) {
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    sorted.emplace_back(t, static_cast<int>(sorted.size()));
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<bool> is_copy(triangles.size(), false);
  for (std::size_t i = 1; i < sorted.size(); ++i) is_copy[sorted[i].second] = sorted[i].first == sorted[i - 1].first;
  return is_copy;
}

void weld(const Mesh& mesh, TriangleSurface& surface) {
  Aabb box;
  for (const Vector3d& v : mesh.vertices) box.include(v);
  if (mesh.vertices.empty()) return;
  const double distance = std::max(kSmallestLength, kWeldDistance * (box.upper - box.lower).norm());
  Welder welder(box.lower, distance, mesh.vertices.size());
  std::vector<int> number(mesh.vertices.size());
  for (std::size_t i = 0; i < number.size(); ++i) number[i] = welder.number_of(without_the_smallest(mesh.vertices[i]));
  surface.vertices = std::move(welder.points());
  std::vector<Corners> welded;
  welded.reserve(mesh.triangles.size());
  for (const Corners& t : mesh.triangles) welded.push_back({number[t[0]], number[t[1]], number[t[2]]});
  const std::vector<bool> is_copy = find_copies(welded);
  for (std::size_t i = 0; i < welded.size(); ++i) {
    const Corners& corners = welded[i];
    const Vector3d area =
        area_vector(surface.vertices[corners[0]], surface.vertices[corners[1]], surface.vertices[corners[2]], distance);
    if (area.isZero(0) || is_copy[i]) continue;
    surface.triangles.push_back(corners);
    surface.normals.push_back(area.normalized());
  }
}

void list_vertex_triangles(TriangleSurface& surface) {
  surface.vertex_first.assign(surface.vertices.size() + 1, 0);
  for (const Corners& t : surface.triangles) {
    for (const int v : t) ++surface.vertex_first[v + 1];
  }
  for (std::size_t v = 0; v < surface.vertices.size(); ++v) surface.vertex_first[v + 1] += surface.vertex_first[v];
  surface.vertex_triangles.resize(3 * surface.triangles.size());
  std::vector<int> next(surface.vertex_first.begin(), surface.vertex_first.end() - 1);
  for (int i = 0; i < surface.size(); ++i) {
    for (const int v : surface.triangles[i]) surface.vertex_triangles[next[v]++] = i;
  }
}

// The angle through the free space in front of triangle `i` from it to its neighbour `j` round the edge a-b.
double opening(const TriangleSurface& surface, int i, int j, int a, int b) {
  const Vector3d edge = (surface.vertices[b] - surface.vertices[a]).normalized();
  const Vector3d &n = surface.normals[i], &m = surface.normals[j];
  const double turn = std::atan2(n.cross(m).dot(edge), n.dot(m));  // pi: folded back over a ridge, -pi: into a slit
  return std::numbers::pi + turn;
}

int find_neighbor(const TriangleSurface& surface, int i, int a, int b) {
  // Vertices in the middle of a fan can have very many triangles: ask the other one.
  const auto& first = surface.vertex_first;
  const int v = first[a + 1] - first[a] < first[b + 1] - first[b] ? a : b;
  int best = -1;
  double best_opening = 0;
  for (int k = first[v]; k < first[v + 1]; ++k) {
    const int j = surface.vertex_triangles[k];
    const Corners& t = surface.triangles[j];
    bool runs_back = false;
    for (int e = 0; e < 3; ++e) runs_back |= t[e] == b && t[(e + 1) % 3] == a;
    if (!runs_back || j == i) continue;
    if (best < 0) {
      best = j;
      best_opening = -1;  // found out only if there is a second one
      continue;
    }
    if (best_opening < 0) best_opening = opening(surface, i, best, a, b);
    if (const double other = opening(surface, i, j, a, b); other < best_opening) best = j, best_opening = other;
  }
  return best;
}

void connect(TriangleSurface& surface) {
  surface.neighbors.resize(surface.triangles.size());
  surface.edges.resize(surface.triangles.size());
  for (int i = 0; i < surface.size(); ++i) {
    const Corners& t = surface.triangles[i];
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      const int j = find_neighbor(surface, i, a, b);
      surface.neighbors[i][k] = j;
      surface.edges[i][k] = EdgeKind::kBorder;
      if (j < 0) continue;
      const Corners& other = surface.triangles[j];
      const int opposite = other[0] + other[1] + other[2] - a - b;
      surface.edges[i][k] = edge_kind(surface.vertices[a], surface.vertices[b], surface.normals[i], surface.normals[j],
                                      surface.vertices[opposite]);
    }
  }
}

void find_facets(TriangleSurface& surface) {
  surface.facets = label_facets(surface.size(), [&surface](int i, auto&& visit) {
    for (int k = 0; k < 3; ++k) {
      if (surface.edges[i][k] == EdgeKind::kFlat) visit(surface.neighbors[i][k]);
    }
  });
}

void make_tree(TriangleSurface& surface) {
  std::vector<Aabb> boxes;
  boxes.reserve(surface.triangles.size());
  for (const auto& [a, b, c] : surface.triangles) {
    boxes.push_back(box_of(surface.vertices[a], surface.vertices[b], surface.vertices[c]));
    surface.box = surface.box.united(boxes.back());
  }
  surface.tree = make_box_tree(boxes);
}

}  // namespace

std::shared_ptr<const TriangleSurface> make_triangle_surface(const Mesh& mesh) {
  auto surface = std::make_shared<TriangleSurface>();
  weld(mesh, *surface);
  list_vertex_triangles(*surface);
  connect(*surface);
  find_facets(*surface);
  make_tree(*surface);
  return surface;
}

SurfaceTriangle triangle_alone(const TriangleSurface& surface, int index) {
  SurfaceTriangle triangle;
  triangle.index = index;
  triangle.facet = surface.facets[index];
  triangle.normal = surface.normals[index];
  triangle.edge = surface.edges[index];
  triangle.neighbor = surface.neighbors[index];
  triangle.vertex_index = surface.triangles[index];
  for (int k = 0; k < 3; ++k) triangle.vertex[k] = surface.vertices[triangle.vertex_index[k]];
  return triangle;
}

SurfaceTriangle surface_triangle(const TriangleSurface& surface, int index) {
  SurfaceTriangle triangle = triangle_alone(surface, index);
  for (int k = 0; k < 3; ++k) {
    triangle.edge_normal[k] =
        triangle.edge[k] == EdgeKind::kBorder
            ? (triangle.vertex[(k + 1) % 3] - triangle.vertex[k]).cross(triangle.normal).normalized()
            : surface.normals[triangle.neighbor[k]];
  }
  return triangle;
}

}  // namespace stickslip
