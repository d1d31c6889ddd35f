#pragma once

#include "stickslip/dynamics/kinematics.h"
#include "stickslip/geometry/collision_model.h"

namespace stickslip {

// How fast B's surface runs ahead of A's at a contact, tangentially, as conveyor belts do; world axes.
inline Vector3d surface_velocity(const CollisionModel& collision, const Kinematics& kinematics, int a, int b,
                                 const Vector3d& normal) {
  const CollisionGeometry &ga = collision.geometries[a], &gb = collision.geometries[b];
  if (ga.surface_velocity.isZero(0) && gb.surface_velocity.isZero(0)) return Vector3d::Zero();
  const Vector3d relative =
      kinematics.pose[gb.link].R * gb.surface_velocity - kinematics.pose[ga.link].R * ga.surface_velocity;
  return relative - relative.dot(normal) * normal;
}

}  // namespace stickslip
