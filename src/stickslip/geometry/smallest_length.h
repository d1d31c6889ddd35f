#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

// Shorter is nothing [m]. Coordinates of at least this size differ by nothing or by 1e-46 at least, of which a
// tetrahedron's squared volume, the sixth power, still is a number with all its digits.
constexpr double kSmallestLength = 1e-30;

inline Vector3d without_the_smallest(const Vector3d& point) {
  return (point.array().abs() < kSmallestLength).select(0, point);
}

}  // namespace stickslip
