#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "stickslip/scene/reader.h"
#include "stickslip/scene/yaml_map.h"
#include "stickslip/shapes/decomposition.h"

// `decompose` of a mesh.
namespace stickslip {

using MeshParts = std::vector<std::shared_ptr<const Mesh>>;

// true, or a map of how; absent or false: none.
std::optional<Decomposition> read_decomposition(YamlMap& mesh);

// From the cache, made by options.decompose if they are not there, scaled. `where` is the place that names the file.
MeshParts find_parts(const std::string& mesh_file, const Decomposition& how, const Vector3d& scale,
                     const Location& where, const LoadOptions& options);

}  // namespace stickslip
