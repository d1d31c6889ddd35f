#pragma once

#include "stickslip/geometry/surface_workspace.h"

namespace stickslip {

// The parts of a face's edge over neighbouring triangles of a facet become one, with points at its ends only.
void make_points(SurfaceWorkspace& work);

// Appends the ends of a part to the points, and counts them to the patch, whose points are the last ones.
void append_points(const OverlapPart& part, SurfacePatch& patch, SurfaceWorkspace& work);

}  // namespace stickslip
