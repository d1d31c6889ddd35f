#pragma once

#include "stickslip/geometry/simplex.h"

namespace stickslip {

// A plane between two cores: `distance` is the room along `normal`, and so at most the signed distance.
struct Gap {
  Vector3d normal;  // unit, from A to B
  double distance = 0;
  Vector3d on_a;  // a point of A's core where they touch, or would; from A's origin, in A's axes
};

// Turns the normal until there is most room between the cores (or least overlap), where curved surfaces keep GJK and
// EPA from ending. They have come near; `simplex` says which pieces of surface face each other.
//
// The room s(u) = min u . w is locally the least of a few smooth functions, one for each pair of pieces: a vertex, an
// ellipsoid, a cylinder's rim. At its maximum up to three of them are equal (a side of a cylinder is its two rims, a
// face three vertices). So: Newton's method on the maximum of the active ones, subject to their equality; a piece that
// turns out to be lower joins, one whose multiplier is negative leaves. Where it does not improve, `gap` is kept.
// Returns whether it has converged.
bool refine(const CorePair& pair, const Simplex& simplex, Gap& gap);

}  // namespace stickslip
