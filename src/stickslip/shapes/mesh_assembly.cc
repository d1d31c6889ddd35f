#include "stickslip/shapes/mesh_assembly.h"

#include <fmt/format.h>

#include "stickslip/base/error.h"

namespace stickslip {
namespace {

constexpr std::size_t kMostElements = 1'000'000;  // in all nodes together
constexpr int kDeepestNode = 200;                 // recursion must fit the stack

}  // namespace

void drop_unused_vertices(MeshPiece& piece) {
  std::vector<int> new_index(piece.vertices.size(), -1);
  std::vector<Vector3d> used;
  for (std::array<int, 3>& triangle : piece.triangles) {
    for (int& corner : triangle) {
      int& index = new_index[static_cast<std::size_t>(corner)];
      if (index < 0) {
        index = static_cast<int>(used.size());
        used.push_back(piece.vertices[static_cast<std::size_t>(corner)]);
      }
      corner = index;
    }
  }
  piece.vertices = std::move(used);
}

MeshAssembly::MeshAssembly(const std::string& file) { mesh_.file = file; }

void MeshAssembly::refuse(const std::string& message) const { throw ModelError("bad-mesh", {mesh_.file}, message); }

void MeshAssembly::enter_node(int depth, std::size_t size) {
  if (depth > kDeepestNode) {
    refuse(fmt::format("nodes are nested more than {} deep; one may contain itself", kDeepestNode));
  }
  seen_ += size + 1;
  if (seen_ > kMostElements) refuse(fmt::format("the nodes of the scene have more than {} elements", kMostElements));
}

void MeshAssembly::add(const MeshPiece& piece, const std::string& name, const Eigen::Affine3d& place,
                       std::span<const std::optional<Color>> colors) {
  if (piece.triangles.size() > kMostTriangles - mesh_.triangles.size()) {
    refuse(fmt::format("the scene has more than {} triangles", kMostTriangles));
  }
  const int first_vertex = static_cast<int>(mesh_.vertices.size());
  const std::size_t first_triangle = mesh_.triangles.size();
  for (const Vector3d& vertex : piece.vertices) mesh_.vertices.push_back(place * vertex);
  const bool mirrored = place.linear().determinant() < 0;
  for (const std::array<int, 3>& t : piece.triangles) {
    const int second = mirrored ? t[2] : t[1], third = mirrored ? t[1] : t[2];  // the outside stays outside
    mesh_.triangles.push_back({first_vertex + t[0], first_vertex + second, first_vertex + third});
  }
  for (std::size_t i = 0; i < piece.groups.size(); ++i) {
    const std::size_t first = piece.groups[i].first;
    const std::size_t end = i + 1 < piece.groups.size() ? piece.groups[i + 1].first : piece.triangles.size();
    if (i < colors.size() && colors[i]) add_part(mesh_, first_triangle + first, end - first, *colors[i]);
  }
  add_name(mesh_, first_triangle, piece.triangles.size(), name);
}

namespace {

// Adds a run of triangles that share a value, or lengthens the last one if it ends where this begins.
template <typename Run, typename Value>
void add_run(std::vector<Run>& runs, Value Run::* own, std::size_t first, std::size_t count, const Value& value) {
  if (count == 0) return;
  const int begin = static_cast<int>(first);
  if (!runs.empty() && runs.back().*own == value && runs.back().first + runs.back().count == begin) {
    runs.back().count += static_cast<int>(count);
  } else {
    runs.push_back({begin, static_cast<int>(count), value});
  }
}

}  // namespace

void add_part(Mesh& mesh, std::size_t first, std::size_t count, const Color& color) {
  add_run(mesh.parts, &Mesh::Part::color, first, count, color);
}

void add_name(Mesh& mesh, std::size_t first, std::size_t count, const std::string& name) {
  if (!name.empty()) add_run(mesh.named, &Mesh::Named::name, first, count, name);
}

}  // namespace stickslip
