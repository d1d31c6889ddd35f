#include "stickslip/shapes/submesh.h"

#include <algorithm>

#include "stickslip/shapes/mesh_assembly.h"

namespace stickslip {
namespace {

// Its colour, if it has one of its own.
const Color* color_of(const Mesh& mesh, int triangle) {
  const auto after = std::upper_bound(mesh.parts.begin(), mesh.parts.end(), triangle,
                                      [](int t, const Mesh::Part& part) { return t < part.first; });
  if (after == mesh.parts.begin()) return nullptr;
  const Mesh::Part& part = *(after - 1);
  return triangle < part.first + part.count ? &part.color : nullptr;
}

}  // namespace

std::optional<Mesh> find_submesh(const Mesh& mesh, const std::string& name) {
  Mesh out;
  out.file = mesh.file;
  out.up = mesh.up;
  std::vector<int> place(mesh.vertices.size(), -1);  // of each vertex in `out`
  for (const Mesh::Named& named : mesh.named) {
    if (named.name != name) continue;
    for (int t = named.first; t < named.first + named.count; ++t) {
      std::array<int, 3> triangle = mesh.triangles[static_cast<std::size_t>(t)];
      for (int& corner : triangle) {
        int& own = place[static_cast<std::size_t>(corner)];
        if (own < 0) {
          own = static_cast<int>(out.vertices.size());
          out.vertices.push_back(mesh.vertices[static_cast<std::size_t>(corner)]);
        }
        corner = own;
      }
      if (const Color* color = color_of(mesh, t)) add_part(out, out.triangles.size(), 1, *color);
      add_name(out, out.triangles.size(), 1, name);
      out.triangles.push_back(triangle);
    }
  }
  if (out.triangles.empty()) return {};
  return out;
}

Mesh turned_to_z_up(Mesh mesh) {
  for (Vector3d& v : mesh.vertices) {
    if (mesh.up == 0) v = Vector3d(-v.y(), -v.z(), v.x());
    if (mesh.up == 1) v = Vector3d(v.x(), -v.z(), v.y());
  }
  mesh.up = 2;
  return mesh;
}

Mesh centered(Mesh mesh) {
  if (mesh.vertices.empty()) return mesh;
  Vector3d low = mesh.vertices.front(), high = low;
  for (const Vector3d& vertex : mesh.vertices) {
    low = low.cwiseMin(vertex);
    high = high.cwiseMax(vertex);
  }
  for (Vector3d& vertex : mesh.vertices) vertex -= 0.5 * (low + high);
  return mesh;
}

}  // namespace stickslip
