#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

// Force and torque about a link's origin, world axes.
struct Wrench {
  Vector3d f = Vector3d::Zero();
  Vector3d n = Vector3d::Zero();
};

}  // namespace stickslip
