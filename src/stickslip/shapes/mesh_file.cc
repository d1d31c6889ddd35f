#include "stickslip/shapes/mesh_file.h"

#include <fmt/format.h>

#include "stickslip/base/names.h"
#include "stickslip/shapes/file_bytes.h"

namespace stickslip {
namespace {

constexpr std::size_t kLargestMeshFile = std::size_t{1} << 30;

MeshFormat require_format(const std::string& file, const Location& from) {
  if (const std::optional<MeshFormat> format = mesh_format_of(file)) return *format;
  throw ModelError(
      "unsupported-mesh-format", from,
      fmt::format("cannot read mesh files of type '{}'; expected .obj, .stl, .ply, .msh, .dae, .gltf or .glb",
                  lower_extension(file)),
      file, "convert the mesh to OBJ, STL, PLY, COLLADA or glTF");
}

void check_finite(const Mesh& mesh) {
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    if (!mesh.vertices[i].allFinite()) {
      throw ModelError("bad-mesh", {mesh.file}, fmt::format("coordinates of vertex {} are not finite", i));
    }
  }
}

}  // namespace

std::optional<MeshFormat> mesh_format_of(const std::string& file) {
  const std::string extension = lower_extension(file);
  if (extension == ".obj") return MeshFormat::kObj;
  if (extension == ".stl") return MeshFormat::kStl;
  if (extension == ".ply") return MeshFormat::kPly;
  if (extension == ".msh") return MeshFormat::kMsh;
  if (extension == ".dae") return MeshFormat::kDae;
  if (extension == ".gltf" || extension == ".glb") return MeshFormat::kGltf;
  return {};
}

Mesh parse_mesh(std::string_view bytes, MeshFormat format, const std::string& file) {
  Mesh mesh;
  switch (format) {
    case MeshFormat::kObj:
      mesh = parse_obj(bytes, file);
      break;
    case MeshFormat::kStl:
      mesh = parse_stl(bytes, file);
      break;
    case MeshFormat::kPly:
      mesh = parse_ply(bytes, file);
      break;
    case MeshFormat::kMsh:
      mesh = parse_msh(bytes, file);
      break;
    case MeshFormat::kDae:
      mesh = parse_dae(bytes, file);
      break;
    case MeshFormat::kGltf:
      mesh = parse_gltf(bytes, file);
      break;
  }
  check_finite(mesh);
  if (mesh.vertices.empty()) throw ModelError("bad-mesh", {file}, "the mesh has no vertices");
  return mesh;
}

Mesh read_mesh(const std::string& file, MeshFormat format, const Location& from) {
  return parse_mesh(read_file_bytes(file, from, kLargestMeshFile), format, file);
}

Mesh read_mesh(const std::string& file, const Location& from) {
  return read_mesh(file, require_format(file, from), from);
}

}  // namespace stickslip
