#pragma once

#include "stickslip/geometry/simplex.h"

namespace stickslip {

// How the search for the nearest point of B - A to the origin ended.
struct Nearest {
  enum class Status {
    kApart,  // `point` is it, to round-off (curved cores: to kCurvedGap)
    kFar,    // farther than the limit; `distance` is a lower bound of the distance along `point`
    kTouch   // the origin is inside, or too close to tell
  };
  Status status = Status::kTouch;
  Simplex simplex;  // holds the nearest point; the tetrahedron around the origin if that is inside
  Vector3d point = Vector3d::Zero();
  double distance = 0;
};

// Below this share of the scale a distance is zero: its direction would be round-off.
constexpr double kTouching = 1e-13;

// Curved cores are only approached this far, relative to the distance; smooth_refine.h does the rest.
constexpr double kCurvedGap = 1e-4;

// Gilbert, Johnson and Keerthi's method. The radii of the cores do not count, neither in the result nor in the limit.
void find_nearest(const CorePair& pair, double limit, Nearest& result);

}  // namespace stickslip
