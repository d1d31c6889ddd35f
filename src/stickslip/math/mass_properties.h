#pragma once

#include "stickslip/math/pose.h"

namespace stickslip {

// Mass [kg], centre of mass in the body's frame [m], rotational inertia about the centre of mass in the body's axes [kg
// m^2].
struct MassProperties {
  double mass = 0;
  Vector3d center = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Zero();

  // Rotational inertia about the frame's origin.
  Matrix3d inertia_about_origin() const;
};

// The same matter, described in frame A instead of B.
MassProperties expressed_in(const Pose& X_AB, const MassProperties& in_B);

// Two pieces of matter described in the same frame, rigidly joined.
MassProperties operator+(const MassProperties& a, const MassProperties& b);

// m (|r|^2 1 - r r'): what a point mass at r contributes about the origin.
Matrix3d point_inertia(double mass, const Vector3d& r);

// Principal moments, ascending, and the rotation from principal axes to the given axes (right-handed).
struct PrincipalInertia {
  Vector3d moments;
  Matrix3d axes;
};
PrincipalInertia principal_inertia(const Matrix3d& inertia);

// The closest moments (in the sum of squares) that are not negative, then none above the sum of the others; ascending.
Vector3d nearest_physical_moments(Vector3d moments);

// Whether real matter can have this inertia: symmetric, positive semidefinite, each principal moment at most the sum of
// the others, up to round-off.
bool is_physical(const Matrix3d& inertia, double relative_tolerance = 1e-6);

}  // namespace stickslip
