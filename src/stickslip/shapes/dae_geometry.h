#pragma once

#include "stickslip/shapes/dae_file.h"
#include "stickslip/shapes/mesh_assembly.h"

namespace stickslip {

// The surface of a <geometry>: triangles, polylist, polygons, trifans and tristrips; polygons are cut into fans, lines
// passed over. Groups carry the symbols of materials.
MeshPiece read_dae_geometry(const DaeFile& file, pugi::xml_node geometry);

}  // namespace stickslip
