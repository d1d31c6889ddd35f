#pragma once

#include <limits>

#include "stickslip/math/types.h"

namespace stickslip {

// An axis-aligned box. A default one is empty: it overlaps nothing and grows from anything.
struct Aabb {
  Vector3d lower = Vector3d::Constant(std::numeric_limits<double>::infinity());
  Vector3d upper = Vector3d::Constant(-std::numeric_limits<double>::infinity());

  bool overlaps(const Aabb& other) const {
    // One branch instead of six that nobody can predict.
    const auto meets = [&](int k) { return int{lower[k] <= other.upper[k]} & int{other.lower[k] <= upper[k]}; };
    return (meets(0) & meets(1) & meets(2)) != 0;
  }
  bool contains(const Aabb& other) const {
    return (lower.array() <= other.lower.array()).all() && (other.upper.array() <= upper.array()).all();
  }
  Aabb grown(double margin) const { return {lower.array() - margin, upper.array() + margin}; }
  Aabb united(const Aabb& other) const { return {lower.cwiseMin(other.lower), upper.cwiseMax(other.upper)}; }
  void include(const Vector3d& point) {
    lower = lower.cwiseMin(point);
    upper = upper.cwiseMax(point);
  }
  Vector3d center() const { return 0.5 * (lower + upper); }
  Vector3d half() const { return 0.5 * (upper - lower); }
};

// How far apart two boxes are.
inline double gap(const Aabb& a, const Aabb& b) {
  return (a.lower - b.upper).cwiseMax(b.lower - a.upper).cwiseMax(Vector3d::Zero()).norm();
}

}  // namespace stickslip
