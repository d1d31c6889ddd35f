#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "stickslip/math/types.h"

namespace stickslip {

inline double uniform(std::mt19937_64& random, double lower = -1, double upper = 1) {
  return std::uniform_real_distribution<double>(lower, upper)(random);
}

inline Vector3d random_vector(std::mt19937_64& random) {
  const double x = uniform(random), y = uniform(random), z = uniform(random);
  return {x, y, z};
}

inline Vector3d random_direction(std::mt19937_64& random) {
  for (;;) {
    const Vector3d v = random_vector(random);
    if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
  }
}

inline Matrix3d random_rotation(std::mt19937_64& random) {
  for (;;) {
    const Vector3d v = random_vector(random);
    const double w = uniform(random), length = std::sqrt(v.squaredNorm() + w * w);
    if (length > 0.1 && length < 1) {
      return Quaterniond(w / length, v.x() / length, v.y() / length, v.z() / length).toRotationMatrix();
    }
  }
}

inline std::vector<Vector3d> points_on_sphere(std::mt19937_64& random, int count, double radius) {
  std::vector<Vector3d> points;
  for (int i = 0; i < count; ++i) points.push_back(radius * random_direction(random));
  return points;
}

inline std::vector<Vector3d> box_corners(const Vector3d& half) {
  std::vector<Vector3d> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back(half.cwiseProduct(Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
  }
  return corners;
}

}  // namespace stickslip
