#pragma once

#include <optional>
#include <string>

#include "stickslip/shapes/shape.h"

namespace stickslip {

// The triangles of a mesh that have this name in its file, with their vertices and colours; none if there are none.
std::optional<Mesh> find_submesh(const Mesh& mesh, const std::string& name);

// Moved so that the middle of its bounding box is the origin.
Mesh centered(Mesh mesh);

}  // namespace stickslip
