#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "stickslip/geometry/surface_triangle.h"
#include "stickslip/shapes/shape.h"

namespace stickslip {

// A height field ready for queries: solid from its base up to the surface. Each cell of the grid is two triangles,
// divided by the diagonal from its (-x, -y) corner, made when they are asked for. Bodies touch the surface only; its
// outer edges are ridges down to walls, and the walls and the base are there for rays.
struct Terrain {
  int rows = 0, columns = 0;            // of heights, along y and x
  Vector3d size = Vector3d::Zero();     // full extent in x and y; z: thickness of the base below height 0
  double cell_x = 0, cell_y = 0;        // sides of a cell
  std::vector<double> column_x, row_y;  // of the vertices of each column and row
  std::vector<double> heights;          // rows x columns, row-major, row 0 at -y
  std::vector<int> facets;              // of each triangle, see SurfaceTriangle
  double min_height = 0, max_height = 0;
  Aabb box;

  int cell_rows() const { return rows - 1; }
  int cell_columns() const { return columns - 1; }
  int triangle_count() const { return 2 * cell_rows() * cell_columns(); }
  double height(int row, int column) const { return heights[static_cast<std::size_t>(row) * columns + column]; }
  double height_at(double x, double y) const;      // of the surface; beyond its edges that of the nearest point on them
  bool is_in_ground(const Vector3d& point) const;  // below the surface, however deep
  Vector3d triangle_normal(int index) const;       // unit
  Vector3d vertex(int row, int column) const { return {column_x[column], row_y[row], height(row, column)}; }
};

// At least two rows and two columns.
std::shared_ptr<const Terrain> make_terrain(const HeightField& field);

// Triangle `index` is half index % 2 of cell index / 2; the first half is the one along -y.
SurfaceTriangle surface_triangle(const Terrain& terrain, int index);

// The same, but what it takes the neighbours' normals to know: `edge` and `edge_normal` mean nothing.
SurfaceTriangle triangle_alone(const Terrain& terrain, int index);

// Cells [first, last] along an axis with `cells` of them that meet the interval [lower, upper] of coordinates; none if
// last < first.
struct CellRange {
  int first, last;
};
CellRange cells_between(double lower, double upper, double size, int cells);

// Calls visit(const SurfaceTriangle&) for every triangle under or in `box`, row by row: since the terrain is solid, all
// that is not above the surface is in touch with it, however deep.
template <class Visitor>
void visit_triangles(const Terrain& terrain, const Aabb& box, Visitor&& visit) {
  if (box.lower.z() > terrain.max_height) return;
  const CellRange x = cells_between(box.lower.x(), box.upper.x(), terrain.size.x(), terrain.cell_columns());
  const CellRange y = cells_between(box.lower.y(), box.upper.y(), terrain.size.y(), terrain.cell_rows());
  for (int row = y.first; row <= y.last; ++row) {
    for (int column = x.first; column <= x.last; ++column) {
      const double shared = std::max(terrain.height(row, column), terrain.height(row + 1, column + 1));
      const int index = 2 * (row * terrain.cell_columns() + column);
      if (std::max(shared, terrain.height(row, column + 1)) >= box.lower.z()) visit(surface_triangle(terrain, index));
      if (std::max(shared, terrain.height(row + 1, column)) >= box.lower.z()) {
        visit(surface_triangle(terrain, index + 1));
      }
    }
  }
}

}  // namespace stickslip
