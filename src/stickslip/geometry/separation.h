#pragma once

#include "stickslip/geometry/collider.h"

namespace stickslip {

// How far two shapes are apart, or how deep they overlap: the shortest translation that makes them just touch.
struct Separation {
  double distance = 0;                  // negative: the depth of the overlap
  Vector3d normal = Vector3d::UnitZ();  // unit, from A to B; moving B by -distance * normal makes them touch
  Vector3d point_a = Vector3d::Zero();  // on A's surface
  Vector3d point_b = Vector3d::Zero();  // on B's surface: point_a + distance * normal
};

// Exact for every pair of convex shapes, and of a half-space with one. Of a convex shape with a triangle mesh or
// terrain the distance is that of the nearest triangle, and the depth that of the deepest contact: to the front of the
// triangles, also from just behind them; up out of a terrain. Half-spaces, meshes and terrains have none with each
// other.
// If the shapes are farther apart than `limit` the search may stop early: then distance is a lower bound that is above
// `limit`.
Separation separation(const Placed& a, const Placed& b, double limit = std::numeric_limits<double>::infinity());

// The same, but where a face rests on a face the points may lie beyond the edge of one of them. For contacts, which
// have their points from a manifold.
Separation quick_separation(const Placed& a, const Placed& b, double limit);

// The general method behind it, for convex shapes of any kind: GJK where they are apart, EPA where they overlap, both
// ended by a closed form of the last features. Spheres and capsules are a point and a segment with a radius.
Separation convex_separation(const Placed& a, const Placed& b, double limit = std::numeric_limits<double>::infinity());

}  // namespace stickslip
