#pragma once

#include "stickslip/geometry/hull.h"
#include "stickslip/shapes/shape.h"

namespace stickslip {

// Fills the faces, planes and face adjacency of a hull whose vertices and scan arrays are there, from the triangles of
// its surface.
void add_faces(const std::vector<std::array<int, 3>>& triangles, Hull& hull);

// The same for a hull whose vertices lie in a plane: two faces back to back.
void add_sheet_faces(const Vector3d& normal, Hull& hull);

}  // namespace stickslip
