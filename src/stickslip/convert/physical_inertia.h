#pragma once

#include "stickslip/math/mass_properties.h"

namespace stickslip::convert {

// Principal moments and axes that real matter can have, nearest to those given. Robot files are measured and rounded:
// many have moments of which one is larger than the two others together, which readers other than URDF's refuse.
struct PhysicalInertia {
  Vector3d moments;      // ascending; the largest is at most the sum of the others, in floating point too
  Matrix3d axes;         // from principal axes to the body's
  double change = 0;     // the largest change of a moment, relative to the largest moment
  bool changed = false;  // by more than round-off
};
PhysicalInertia physical_inertia(const Matrix3d& inertia);

}  // namespace stickslip::convert
