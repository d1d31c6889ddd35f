#pragma once

#include <optional>
#include <string>

#include "stickslip/shapes/shape.h"

namespace stickslip {

// The triangles of a mesh that have this name in its file, with their vertices and colours; none if there are none.
std::optional<Mesh> find_submesh(const Mesh& mesh, const std::string& name);

// Turned so that z is up if it says that x or y is, by the table of axes of COLLADA 1.4: right, up and towards the
// viewer are -y, x, z (x up); x, y, z (y up); x, z, -y (z up).
Mesh turned_to_z_up(Mesh mesh);

// Moved so that the middle of its bounding box is the origin.
Mesh centered(Mesh mesh);

}  // namespace stickslip
