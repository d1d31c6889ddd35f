#pragma once

#include "stickslip/math/mass_properties.h"
#include "stickslip/shapes/shape.h"

namespace stickslip {

// How a mesh is filled with matter. The names are MuJoCo's.
enum class MeshInertia {
  kExact,   // the inside of a closed surface, by signed tetrahedra; an inside-out mesh counts as if turned right
  kConvex,  // the convex hull
  kLegacy,  // tetrahedra from the surface's centroid, all counted positive: too heavy where the mesh is not convex
  kShell    // the surface itself, with mass per area
};

// For a density of 1 kg/m^3 (kShell: 1 kg/m^2). Frame: the mesh's coordinates.
MassProperties mesh_mass_properties(const Mesh& mesh, MeshInertia mode);

// The mesh of the convex hull (only vertices on it, triangles facing outward). Throws ModelError "flat-mesh" if the
// vertices lie in a plane.
Mesh convex_hull(const Mesh& mesh);

}  // namespace stickslip
