#pragma once

#include "stickslip/geometry/convex_core.h"

namespace stickslip {

using Matrix32d = Eigen::Matrix<double, 3, 2>;
using Eigen::Matrix2d;
using Eigen::Vector2d;

// A smooth piece of a core's surface, as numbered by CorePoint: the point of it that is farthest along a direction,
// whether or not another piece reaches farther. A vertex is one too.
Vector3d piece_point(const ConvexCore& core, int piece, const Vector3d& direction);

// The second derivative of the piece's support value at a unit direction, within the plane of two tangents: how fast
// the point moves when the direction turns.
Matrix2d piece_curvature(const ConvexCore& core, const Vector3d& direction, const Matrix32d& tangents);

}  // namespace stickslip
