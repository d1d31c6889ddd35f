#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "stickslip/shapes/file_bytes.h"
#include "stickslip/shapes/mesh_file.h"

// MuJoCo's old binary mesh: int32 counts of vertices, normals, texture coordinates and faces, then these arrays as
// float32 triples, triples, pairs and int32 triples.
namespace stickslip {

Mesh parse_msh(std::string_view bytes, const std::string& file) {
  constexpr std::size_t kHeaderBytes = 16;
  if (bytes.size() < kHeaderBytes) throw ModelError("bad-mesh", {file}, "too short for a .msh header");
  std::array<std::uint64_t, 4> counts;  // vertices, normals, texture coordinates, faces
  for (std::size_t k = 0; k < 4; ++k) {
    const std::int32_t count = read_value<std::int32_t>(bytes, 4 * k);
    if (count < 0) throw ModelError("bad-mesh", {file}, fmt::format("negative count {} in the .msh header", count));
    counts[k] = static_cast<std::uint64_t>(count);
  }
  const auto [vertices, normals, texcoords, faces] = counts;
  const std::uint64_t expected = kHeaderBytes + 12 * vertices + 12 * normals + 8 * texcoords + 12 * faces;
  if (expected != bytes.size()) {
    throw ModelError("bad-mesh", {file},
                     fmt::format("the header promises {} bytes, but the file has {}", expected, bytes.size()));
  }
  Mesh mesh;
  mesh.file = file;
  mesh.vertices.reserve(vertices);
  for (std::size_t i = 0; i < vertices; ++i) {
    const std::size_t at = kHeaderBytes + 12 * i;
    mesh.vertices.emplace_back(read_value<float>(bytes, at), read_value<float>(bytes, at + 4),
                               read_value<float>(bytes, at + 8));
  }
  const std::size_t first_face = kHeaderBytes + 12 * vertices + 12 * normals + 8 * texcoords;
  mesh.triangles.reserve(faces);
  for (std::size_t i = 0; i < faces; ++i) {
    std::array<int, 3> triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      triangle[k] = read_value<std::int32_t>(bytes, first_face + 12 * i + 4 * k);
      if (triangle[k] < 0 || static_cast<std::uint64_t>(triangle[k]) >= vertices) {
        throw ModelError("bad-mesh", {file},
                         fmt::format("face {} refers to vertex {} of {}", i, triangle[k], vertices));
      }
    }
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

}  // namespace stickslip
