#pragma once

#include "stickslip/dynamics/kinematics.h"

namespace stickslip {

// A unit motion of a joint's k-th degree of freedom, world axes, at the link's origin.
struct UnitMotion {
  Vector3d v = Vector3d::Zero();
  Vector3d w = Vector3d::Zero();
};

inline UnitMotion unit_motion(const Model& model, const Kinematics& kinematics, int i, int k) {
  const Link& link = model.links[i];
  const Matrix3d& R = kinematics.pose[i].R;
  switch (link.kind) {
    case LinkKind::kRevolute:
      return {.w = R.col(2)};
    case LinkKind::kPrismatic:
      return {.v = R.col(2)};
    case LinkKind::kScrew:
      return {.v = link.pitch * R.col(2), .w = R.col(2)};
    case LinkKind::kBall:
      return {.w = R.col(k)};
    case LinkKind::kFree:
      if (k >= 3) return {.w = R.col(k - 3)};
      return {.v = kinematics.pose[link.parent].R * link.X_PF.rotation.col(k)};
    case LinkKind::kPrescribed:
      break;
  }
  return {};
}

}  // namespace stickslip
