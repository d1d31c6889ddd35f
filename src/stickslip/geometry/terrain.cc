#include "stickslip/geometry/terrain.h"

#include <cassert>

namespace stickslip {
namespace {

struct Corner {
  int row, column;  // relative to the cell
};
constexpr Corner kCorners[2][3] = {{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}};

// The triangle across each edge of each half: which cell, relative to this one. It is always the other half.
constexpr Corner kAcross[2][3] = {{{-1, 0}, {0, 1}, {0, 0}}, {{0, 0}, {1, 0}, {0, -1}}};

struct Half {
  int row, column, half;
};

Half half_of(const Terrain& terrain, int index) {
  const int cell = index / 2;
  return {cell / terrain.cell_columns(), cell % terrain.cell_columns(), index % 2};
}

Vector3d corner(const Terrain& terrain, const Half& t, int k) {
  const Corner& c = kCorners[t.half][k];
  return terrain.vertex(t.row + c.row, t.column + c.column);
}

Vector3d normal_of(const Terrain& terrain, const Half& t) {
  // The slopes along x and y, each from one side of the cell.
  const int along_x = t.half == 0 ? 0 : 1, along_y = t.half == 0 ? 1 : 0;
  const double dx = terrain.height(t.row + along_x, t.column + 1) - terrain.height(t.row + along_x, t.column);
  const double dy = terrain.height(t.row + 1, t.column + along_y) - terrain.height(t.row, t.column + along_y);
  return Vector3d(-dx * terrain.cell_y, -dy * terrain.cell_x, terrain.cell_x * terrain.cell_y).normalized();
}

int neighbor_of(const Terrain& terrain, const Half& t, int k) {  // -1: none
  const Corner& step = kAcross[t.half][k];
  const int row = t.row + step.row, column = t.column + step.column;
  const bool inside = row >= 0 && row < terrain.cell_rows() && column >= 0 && column < terrain.cell_columns();
  return inside ? 2 * (row * terrain.cell_columns() + column) + 1 - t.half : -1;
}

void add_edge(const Terrain& terrain, const Half& t, int k, SurfaceTriangle& triangle) {
  const Corner& step = kAcross[t.half][k];
  if (triangle.neighbor[k] < 0) {
    triangle.edge[k] = EdgeKind::kBorder;
    triangle.edge_normal[k] = Vector3d(step.column, step.row, 0);
    return;
  }
  triangle.edge_normal[k] = normal_of(terrain, {t.row + step.row, t.column + step.column, 1 - t.half});
  // A height field never folds, so which vertex is opposite does not matter.
  triangle.edge[k] = edge_kind(triangle.vertex[k], triangle.vertex[(k + 1) % 3], triangle.normal,
                               triangle.edge_normal[k], triangle.vertex[k]);
}

}  // namespace

std::shared_ptr<const Terrain> make_terrain(const HeightField& field) {
  const HeightGrid& grid = *field.grid;
  assert(grid.rows >= 2 && grid.columns >= 2);
  auto terrain = std::make_shared<Terrain>();
  terrain->rows = grid.rows;
  terrain->columns = grid.columns;
  terrain->size = field.size;
  terrain->cell_x = field.size.x() / terrain->cell_columns();
  terrain->cell_y = field.size.y() / terrain->cell_rows();
  for (int c = 0; c < grid.columns; ++c) terrain->column_x.push_back(field.size.x() * (c / (grid.columns - 1.0) - 0.5));
  for (int r = 0; r < grid.rows; ++r) terrain->row_y.push_back(field.size.y() * (r / (grid.rows - 1.0) - 0.5));
  terrain->heights = grid.heights;
  const auto [low, high] = std::minmax_element(grid.heights.begin(), grid.heights.end());
  terrain->min_height = *low;
  terrain->max_height = *high;
  terrain->box.lower = {-field.size.x() / 2, -field.size.y() / 2, std::min(*low, -field.size.z())};
  terrain->box.upper = {field.size.x() / 2, field.size.y() / 2, std::max(*high, -field.size.z())};
  terrain->facets.assign(terrain->triangle_count(), 0);
  terrain->facets = label_facets(terrain->triangle_count(), [&terrain](int i, auto&& visit) {
    const SurfaceTriangle triangle = surface_triangle(*terrain, i);
    for (int k = 0; k < 3; ++k) {
      if (triangle.edge[k] == EdgeKind::kFlat) visit(triangle.neighbor[k]);
    }
  });
  return terrain;
}

double Terrain::height_at(double x, double y) const {
  const double place_x = std::clamp((x + size.x() / 2) / cell_x, 0.0, columns - 1.0);
  const double place_y = std::clamp((y + size.y() / 2) / cell_y, 0.0, rows - 1.0);
  const int c = std::min(static_cast<int>(place_x), columns - 2), r = std::min(static_cast<int>(place_y), rows - 2);
  const double u = place_x - c, v = place_y - r;
  const double corner = height(r + (u < v), c + (u >= v));  // of the half the point is in
  return u >= v ? (1 - u) * height(r, c) + (u - v) * corner + v * height(r + 1, c + 1)
                : (1 - v) * height(r, c) + (v - u) * corner + u * height(r + 1, c + 1);
}

bool Terrain::is_in_ground(const Vector3d& point) const {
  const bool beside = std::abs(point.x()) > size.x() / 2 || std::abs(point.y()) > size.y() / 2;
  return !beside && point.z() < height_at(point.x(), point.y());
}

Vector3d Terrain::triangle_normal(int index) const { return normal_of(*this, half_of(*this, index)); }

namespace {

SurfaceTriangle triangle_alone(const Terrain& terrain, int index, const Half& t) {
  SurfaceTriangle triangle;
  triangle.index = index;
  triangle.facet = terrain.facets[index];
  triangle.normal = normal_of(terrain, t);
  for (int k = 0; k < 3; ++k) {
    triangle.vertex[k] = corner(terrain, t, k);
    const Corner& c = kCorners[t.half][k];
    triangle.vertex_index[k] = (t.row + c.row) * terrain.columns + t.column + c.column;
    triangle.neighbor[k] = neighbor_of(terrain, t, k);
  }
  return triangle;
}

}  // namespace

SurfaceTriangle triangle_alone(const Terrain& terrain, int index) {
  return triangle_alone(terrain, index, half_of(terrain, index));
}

SurfaceTriangle surface_triangle(const Terrain& terrain, int index) {
  const Half t = half_of(terrain, index);
  SurfaceTriangle triangle = triangle_alone(terrain, index, t);
  for (int k = 0; k < 3; ++k) add_edge(terrain, t, k, triangle);
  return triangle;
}

CellRange cells_between(double lower, double upper, double size, int cells) {
  const double scale = cells / size;
  // Compared before the conversion: a coordinate may be far beyond what an int holds.
  const double first = std::max(0.0, std::floor((lower + size / 2) * scale));
  const double last = std::min(cells - 1.0, std::floor((upper + size / 2) * scale));
  if (!(first <= last)) {
    // Exactly on the far edge still is on the terrain.
    if (first == cells && lower <= size / 2) return {cells - 1, cells - 1};
    return {0, -1};
  }
  return {static_cast<int>(first), static_cast<int>(last)};
}

}  // namespace stickslip
