#pragma once

#include "stickslip/geometry/separation.h"

// Closed forms. Each takes its shapes in the order of ColliderKind.
namespace stickslip {

Separation half_space_separation(const Placed& half_space, const Placed& convex);

// Spheres are segments without length.
Separation round_separation(const Placed& a, const Placed& b);

Separation sphere_box_separation(const Placed& sphere, const Placed& box);
Separation sphere_cylinder_separation(const Placed& sphere, const Placed& cylinder);
Separation capsule_box_separation(const Placed& capsule, const Placed& box);

// Of a convex shape and a triangle mesh or terrain: from the nearest triangle, or their deepest contact. Infinite
// beyond the limit.
Separation surface_separation(const Placed& convex, const Placed& surface, double limit);

// By separating axes. Boxes that are apart, but not by more than `limit`, are left to the general method.
Separation box_box_separation(const Placed& a, const Placed& b, double limit);

}  // namespace stickslip
