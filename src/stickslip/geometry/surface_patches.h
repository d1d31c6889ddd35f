#pragma once

#include "stickslip/geometry/surface_workspace.h"

// The patches of a query, and which of them belongs to a facet.
namespace stickslip {

void clear_patches(SurfaceWorkspace& work);
int find_patch_of_facet(const SurfaceWorkspace& work, int facet);  // -1: it has none
int patch_of_facet(SurfaceWorkspace& work, int facet);             // made if it has none
int new_patch(SurfaceWorkspace& work);                             // of an edge or a peak

}  // namespace stickslip
