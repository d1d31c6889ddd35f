#pragma once

#include <vector>

#include "stickslip/dynamics/acceleration.h"
#include "stickslip/dynamics/kinematics.h"

namespace stickslip {

using Matrix6Xd = Eigen::Matrix<double, 6, Eigen::Dynamic>;

// What one degree of freedom contributes to the velocity of a point fixed to a link, world axes.
struct JacobianColumn {
  int v = 0;  // index into State::v
  Vector3d linear = Vector3d::Zero();
  Vector3d angular = Vector3d::Zero();
};

// Columns for the point p_W of a link: only the degrees of freedom between the link and the world, leaf first. Needs
// poses.
void jacobian_columns(const Model& model, const Kinematics& kinematics, int link, const Vector3d& p_W,
                      std::vector<JacobianColumn>& columns);

// The same as a dense 6 x nv matrix: [linear; angular] velocity of the point = J v (+ prescribed motion).
void point_jacobian(const Model& model, const Kinematics& kinematics, int link, const Vector3d& p_W, Matrix6Xd& J);

// Acceleration of the point for vdot = 0 and no gravity: J-dot v, and what prescribed motion adds. Needs velocities.
LinkAcceleration point_bias_acceleration(const Model& model, const State& state, const Kinematics& kinematics, int link,
                                         const Vector3d& p_W);

}  // namespace stickslip
