#include "stickslip/shapes/mesh_file.h"

#include <fmt/format.h>

#include "stickslip/base/names.h"
#include "stickslip/shapes/file_bytes.h"

namespace stickslip {
namespace {

constexpr std::size_t kLargestMeshFile = std::size_t{1} << 30;

MeshFormat format_of(const std::string& file, const Location& from) {
  const std::string extension = lower_extension(file);
  if (extension == ".obj") return MeshFormat::kObj;
  if (extension == ".stl") return MeshFormat::kStl;
  if (extension == ".msh") return MeshFormat::kMsh;
  throw ModelError("unsupported-mesh-format", from,
                   fmt::format("cannot read mesh files of type '{}'; expected .obj, .stl or .msh", extension), file,
                   "convert the mesh to OBJ or STL");
}

void check_finite(const Mesh& mesh) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (!mesh.vertices[i].allFinite()) {
      throw ModelError("bad-mesh", {mesh.file}, fmt::format("coordinates of vertex {} are not finite", i));
    }
  }
}

}  // namespace

Mesh parse_mesh(std::string_view bytes, MeshFormat format, const std::string& file) {
  Mesh mesh;
  switch (format) {
    case MeshFormat::kObj:
      mesh = parse_obj(bytes, file);
      break;
    case MeshFormat::kStl:
      mesh = parse_stl(bytes, file);
      break;
    case MeshFormat::kMsh:
      mesh = parse_msh(bytes, file);
      break;
  }
  check_finite(mesh);
  if (mesh.vertices.empty()) throw ModelError("bad-mesh", {file}, "the mesh has no vertices");
  return mesh;
}

Mesh read_mesh(const std::string& file, MeshFormat format, const Location& from) {
  return parse_mesh(read_file_bytes(file, from, kLargestMeshFile), format, file);
}

Mesh read_mesh(const std::string& file, const Location& from) { return read_mesh(file, format_of(file, from), from); }

}  // namespace stickslip
