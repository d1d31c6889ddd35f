#pragma once

#include "stickslip/dynamics/kinematics.h"

namespace stickslip {

// Of the point of a link that is now at p, world axes. Needs poses and velocities.
inline Vector3d point_velocity(const Kinematics& kinematics, int link, const Vector3d& p) {
  const LinkVelocity& velocity = kinematics.velocity[link];
  return velocity.v + velocity.w.cross(p - kinematics.pose[link].p);
}

}  // namespace stickslip
