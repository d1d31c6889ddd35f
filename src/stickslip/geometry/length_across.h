#pragma once

#include <algorithm>
#include <cmath>

#include "stickslip/math/types.h"

namespace stickslip {

// How long a step looks along a unit direction.
inline double length_across(const Vector3d& step, const Vector3d& direction) {
  const double along = step.dot(direction);
  return std::sqrt(std::max(0.0, step.squaredNorm() - along * along));
}

}  // namespace stickslip
