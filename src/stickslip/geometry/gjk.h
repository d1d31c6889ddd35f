#pragma once

#include "stickslip/geometry/simplex.h"

namespace stickslip {

// How the search for the nearest point of B - A to the origin ended.
struct Nearest {
  enum class Status {
    kApart,  // `point` is it, to round-off; curved cores: to `curved_gap`, so that they may as well overlap a little
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

// Gilbert, Johnson and Keerthi's method. The radii of the cores do not count, neither in the result nor in the limit.
// Curved cores are only approached until the nearest point is known up to `curved_gap`, as a share of the scale.
void find_nearest(const CorePair& pair, double limit, double curved_gap, Nearest& result);

}  // namespace stickslip
