#pragma once

#include <string>
#include <string_view>

#include "stickslip/base/error.h"
#include "stickslip/shapes/shape.h"

// Mesh files. Every count in a file is checked against the file's size before memory is taken; a file that is not what
// it claims is a ModelError that names it.
namespace stickslip {

enum class MeshFormat { kObj, kStl, kMsh };

// By extension, whatever its case: .obj, .stl (text or binary), .msh (MuJoCo's old binary format). Vertices are as in
// the file. `from` is the place that names the file.
Mesh read_mesh(const std::string& file, const Location& from = {});
Mesh read_mesh(const std::string& file, MeshFormat format, const Location& from = {});

// The same from bytes in memory; `file` is used in errors only.
Mesh parse_mesh(std::string_view bytes, MeshFormat format, const std::string& file);
Mesh parse_obj(std::string_view text, const std::string& file);   // v and f lines; polygons are cut into fans
Mesh parse_stl(std::string_view bytes, const std::string& file);  // repeated vertices are merged
Mesh parse_msh(std::string_view bytes, const std::string& file);

}  // namespace stickslip
