#pragma once

#include "stickslip/dynamics/kinematics.h"
#include "stickslip/geometry/collision_model.h"

namespace stickslip {

// A contact's two tangents and normal, world axes. Where friction has a grain the first tangent lies along it, and each
// is as long as friction along it is part of the pair's: with S = diag(mu_x, mu_y)/mu the velocity in this frame is S
// v, and an impulse gamma in it S gamma in the world. Any isotropic model becomes elliptic so.   ICF (30)-(32)
//
//   mu along a direction: the harmonic mean of the sides' coefficients there, as for materials without grain
//
// Of two grains the stronger one gives the axes, and the other acts by its coefficients along them. A grain that leaves
// the plane of contact weakens, until none is left across it: mu^2 = (ratio^2 c^2 + 1 - c^2) mu_0^2, c its cosine.
Matrix3d contact_frame(const CollisionModel& collision, const Kinematics& kinematics, const ContactSet& contacts,
                       int i);

// The vector whose parts along the tangents of the frame are x: frame' result = x.
inline Vector3d from_tangents(const Matrix3d& frame, const Vector2d& x) {
  return x.x() / frame.col(0).squaredNorm() * frame.col(0) + x.y() / frame.col(1).squaredNorm() * frame.col(1);
}

}  // namespace stickslip
