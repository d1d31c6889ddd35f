#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stickslip/base/error.h"
#include "stickslip/shapes/shape.h"

// Mesh files. Every count in a file is checked against the file's size before memory is taken; a file that is not what
// it claims is a ModelError that names it.
namespace stickslip {

enum class MeshFormat { kObj, kStl, kPly, kMsh, kDae, kGltf };

// By extension; nothing for other files.
std::optional<MeshFormat> mesh_format_of(const std::string& file);

// By extension, whatever its case: .obj, .stl and .ply (text or binary), .msh (MuJoCo's old binary format), .dae
// (COLLADA), .gltf and .glb (glTF 2.0). Vertices are as in the file, in metres with z up. `from` is the place that
// names the file.
Mesh read_mesh(const std::string& file, const Location& from = {});
Mesh read_mesh(const std::string& file, MeshFormat format, const Location& from = {});

// The same from bytes in memory; `file` is used in errors, and what the bytes name is looked for beside it.
Mesh parse_mesh(std::string_view bytes, MeshFormat format, const std::string& file);
Mesh parse_obj(std::string_view text, const std::string& file);   // v and f lines, polygons cut into fans; colours
Mesh parse_stl(std::string_view bytes, const std::string& file);  // repeated vertices are merged
Mesh parse_ply(std::string_view bytes, const std::string& file);  // polygons cut into fans
Mesh parse_msh(std::string_view bytes, const std::string& file);

// The whole scene, placed by its nodes and times the unit. <up_axis> does not turn it, see docs/decisions/up_axis.md;
// Mesh::up says what it is.
Mesh parse_dae(std::string_view bytes, const std::string& file);

// The whole scene, placed by its nodes, turned from y up, which glTF prescribes, to z up as Drake and RViz do. Text
// with buffers within or beside the file, or the binary container.
Mesh parse_gltf(std::string_view bytes, const std::string& file);

}  // namespace stickslip
