#pragma once

#include <cmath>

#include "stickslip/geometry/collider.h"

// Directions along an arc, and the one of them along which a body is least deep.
namespace stickslip {

struct NormalArc {
  Vector3d start, ahead;  // n(angle) = cos(angle) start + sin(angle) ahead
  double end = 0;         // angle
  Vector3d point;         // of the surface: what distances are measured from

  Vector3d at(double angle) const { return std::cos(angle) * start + std::sin(angle) * ahead; }
};

// How far the body is from a plane through `point`, along a unit normal.
double distance_along(const Placed& body, const Vector3d& point, const Vector3d& normal);

inline double distance_at(const Placed& body, const NormalArc& arc, double angle) {
  return distance_along(body, arc.point, arc.at(angle));
}

// How fast that distance grows as the normal turns along the arc.
double gain(const Placed& body, const NormalArc& arc, double angle);

// The same at the start for a point of the body.
inline double gain_at_start(const NormalArc& arc, const Vector3d& point) { return (point - arc.point).dot(arc.ahead); }

// The first angle at which the gain falls through zero, by a jump if the body has a flat face there; the end of the arc
// if it does not. The gain is positive at the start: of a body with a flat side there the caller knows at which point.
double best_angle(const Placed& body, const NormalArc& arc);

}  // namespace stickslip
