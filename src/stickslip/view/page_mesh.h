#pragma once

#include <string>

#include "stickslip/shapes/shape.h"

namespace stickslip {

// A height field as triangles: its top, and its sides down to the base.
Mesh mesh_of(const HeightField& field);

// For the page: docs/formats/viewer.md.
std::string mesh_bytes(const Mesh& mesh);

}  // namespace stickslip
