#pragma once

#include <algorithm>
#include <cmath>

#include "stickslip/geometry/collider.h"

// Directions along an arc, and the one of them along which a body is least deep.
namespace stickslip {

// An angle from 0 to pi by its cosine and sine: the search along an arc needs no other functions of it.
struct Turn {
  double cosine = 1, sine = 0;

  double angle() const { return std::atan2(sine, cosine); }
  // By how much `other` is farther: the sine of the angle between.
  double sine_to(const Turn& other) const { return cosine * other.sine - sine * other.cosine; }
};

inline Turn turn_towards(double cosine, double sine) {
  constexpr double kSquares = 1e-140;  // the squares of less have lost digits
  const double length = std::sqrt(cosine * cosine + sine * sine);
  if (length > kSquares) return {cosine / length, sine / length};
  const double larger = std::max(std::abs(cosine), std::abs(sine));
  return larger > 0 ? turn_towards(cosine / larger, sine / larger) : Turn{};
}

struct NormalArc {
  Vector3d start, ahead;  // n(turn) = cosine start + sine ahead
  Turn end;
  Vector3d point;  // of the surface: what distances are measured from

  Vector3d at(const Turn& turn) const { return turn.cosine * start + turn.sine * ahead; }
};

// How far the body is from a plane through `point`, along a unit normal.
double distance_along(const Placed& body, const Vector3d& point, const Vector3d& normal);

inline double distance_at(const Placed& body, const NormalArc& arc, const Turn& turn) {
  return distance_along(body, arc.point, arc.at(turn));
}

// How fast that distance grows as the normal turns along the arc.
double gain(const Placed& body, const NormalArc& arc, const Turn& turn);

// The same at the start for a point of the body.
inline double gain_at_start(const NormalArc& arc, const Vector3d& point) { return (point - arc.point).dot(arc.ahead); }

// The first turn at which the gain falls through zero, by a jump if the body has a flat face there; the end of the arc
// if it does not. The gain is positive at the start: of a body with a flat side there the caller knows at which point.
Turn best_turn(const Placed& body, const NormalArc& arc);

}  // namespace stickslip
