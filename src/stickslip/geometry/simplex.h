#pragma once

#include "stickslip/geometry/convex_core.h"

namespace stickslip {

// Up to four points of B - A, and the weights that make their nearest point to the origin.
struct Simplex {
  int count = 0;
  std::array<DifferencePoint, 4> points;
  std::array<double, 4> weights;

  void push(const DifferencePoint& point) { points[count++] = point; }
  bool contains(const DifferencePoint& point) const {
    for (int k = 0; k < count; ++k) {
      if (points[k].is_same(point)) return true;
    }
    return false;
  }
  Vector3d on_a() const { return weighted(&DifferencePoint::a); }
  Vector3d on_b() const { return weighted(&DifferencePoint::b); }

 private:
  Vector3d weighted(Vector3d DifferencePoint::* part) const {
    Vector3d sum = weights[0] * (points[0].*part);
    for (int k = 1; k < count; ++k) sum += weights[k] * (points[k].*part);
    return sum;
  }
};

enum class Reduction { kNearer, kNotNearer, kInside };

// Drops the points that do not hold the one nearest to the origin, if that is nearer than `nearest` is now, and sets
// `nearest` to it. kInside: the origin is inside the four points. Nothing is changed but in the case of kNearer.
Reduction reduce_to_nearest(Simplex& simplex, Vector3d& nearest);

// A unit normal of the plane through three points, from those edges between them that belong to one body alone; zero if
// there is none.
Vector3d feature_normal(const DifferencePoint& first, const DifferencePoint& second, const DifferencePoint& third);

}  // namespace stickslip
