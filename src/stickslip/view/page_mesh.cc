#include "stickslip/view/page_mesh.h"

#include "stickslip/log/bytes.h"

namespace stickslip {
namespace {

void add_quad(int a, int b, int c, int d, Mesh& mesh) {
  mesh.triangles.push_back({a, b, c});
  mesh.triangles.push_back({a, c, d});
}

// A wall from a border of the top down to the base, whose vertices follow the top's in the same order.
void add_wall(int from, int to, int base, Mesh& mesh) { add_quad(from, from + base, to + base, to, mesh); }

}  // namespace

Mesh mesh_of(const HeightField& field) {
  const HeightGrid& grid = *field.grid;
  const int rows = grid.rows, columns = grid.columns, count = rows * columns;
  Mesh mesh;
  const auto add_vertices = [&](auto height) {
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) {
        mesh.vertices.emplace_back(field.size.x() * (static_cast<double>(j) / (columns - 1) - 0.5),
                                   field.size.y() * (static_cast<double>(i) / (rows - 1) - 0.5), height(i, j));
      }
    }
  };
  add_vertices([&](int i, int j) { return grid.heights[static_cast<size_t>(i * columns + j)]; });
  add_vertices([&](int, int) { return -field.size.z(); });
  const auto at = [&](int i, int j) { return i * columns + j; };
  for (int i = 0; i + 1 < rows; ++i) {
    for (int j = 0; j + 1 < columns; ++j) add_quad(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j), mesh);
  }
  for (int j = 0; j + 1 < columns; ++j) {
    add_wall(at(0, j), at(0, j + 1), count, mesh);
    add_wall(at(rows - 1, j + 1), at(rows - 1, j), count, mesh);
  }
  for (int i = 0; i + 1 < rows; ++i) {
    add_wall(at(i + 1, 0), at(i, 0), count, mesh);
    add_wall(at(i, columns - 1), at(i + 1, columns - 1), count, mesh);
  }
  return mesh;
}

std::string mesh_bytes(const Mesh& mesh) {
  std::string out;
  out.reserve(8 + 12 * (mesh.vertices.size() + mesh.triangles.size()));
  ByteWriter bytes(out);
  bytes.put(static_cast<std::uint32_t>(mesh.vertices.size()));
  bytes.put(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const Vector3d& vertex : mesh.vertices) {
    for (double x : vertex) bytes.put(static_cast<float>(x));
  }
  for (const std::array<int, 3>& triangle : mesh.triangles) bytes.put(triangle);
  return out;
}

}  // namespace stickslip
