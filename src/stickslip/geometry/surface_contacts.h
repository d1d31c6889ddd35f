#pragma once

#include <vector>

#include "stickslip/geometry/surface_workspace.h"

namespace stickslip {

// Contacts of a convex body with a triangle mesh or a terrain. Appends one manifold for each direction in which the
// surface pushes (A is the body, so normals point into the surface) and returns their number. Only points nearer than
// `reach` are kept.
//
// Facets that push in nearly the same direction share the stiffness of the pair as parts of one face would; those that
// push in different directions, as the sides of a groove, have their own. The force of all contacts together is a
// continuous function of the body's pose as long as the overlap is shallow, and on a flat floor it does not depend on
// the triangles the floor is made of.
int surface_contacts(const Placed& convex, const Placed& surface, double reach, SurfaceWorkspace& workspace,
                     std::vector<Manifold>& out);

}  // namespace stickslip
