#include <algorithm>
#include <cmath>
#include <limits>

#include "stickslip/geometry/box_box_manifold.h"
#include "stickslip/geometry/primitive_separation.h"
#include "stickslip/math/pack.h"

namespace stickslip {
namespace {

// An edge pair must beat the faces by this part of the size: between a face and a nearly parallel edge pair round-off
// must not choose.
constexpr double kFacePreference = 1e-10;
// Edges more parallel than this (sine of their angle) are left to the faces.
constexpr double kParallel = 1e-5;

// The separating axis with the least overlap.
struct Axis {
  double gap = -std::numeric_limits<double>::infinity();
  int a = -1, b = -1;  // face of A (b = -1), face of B (a = -1), or edge directions of both
};

// B in A's frame; a pack holds the numbers of B's three axes side by side (and a spare lane).
struct BoxPair {
  std::array<Pack, 3> row;       // of R_AB
  std::array<Pack, 3> absolute;  // of |R_AB|
  Pack half_b;
  Vector3d half_a, center;
};

double sum_of_three(const Pack& x) { return x[0] + x[1] + x[2]; }

BoxPair box_pair(const Placed& a, const Placed& b) {
  BoxPair pair;
  const Matrix3d& B = b.R;
  const Pack x{B(0, 0), B(0, 1), B(0, 2), 0}, y{B(1, 0), B(1, 1), B(1, 2), 0}, z{B(2, 0), B(2, 1), B(2, 2), 0};
  for (int i = 0; i < 3; ++i) {
    pair.row[i] = a.R(0, i) * x + a.R(1, i) * y + a.R(2, i) * z;
    pair.absolute[i] = magnitude(pair.row[i]);
  }
  const Vector3d& half_b = b.shape->half;
  pair.half_b = Pack{half_b.x(), half_b.y(), half_b.z(), 0};
  pair.half_a = a.shape->half;
  pair.center.noalias() = a.R.transpose() * (b.p - a.p);
  return pair;
}

// The widest gap over the six face normals; stops as soon as one exceeds the limit.
Axis face_axis(const BoxPair& pair, double limit) {
  Axis best;
  for (int i = 0; i < 3; ++i) {
    const double gap = std::abs(pair.center[i]) - pair.half_a[i] - sum_of_three(pair.absolute[i] * pair.half_b);
    if (gap > best.gap) best = {gap, i, -1};
  }
  if (best.gap > limit) return best;
  const Pack center = pair.center[0] * pair.row[0] + pair.center[1] * pair.row[1] + pair.center[2] * pair.row[2];
  const Pack reach =
      pair.half_a[0] * pair.absolute[0] + pair.half_a[1] * pair.absolute[1] + pair.half_a[2] * pair.absolute[2];
  const Pack gap = magnitude(center) - pair.half_b - reach;
  for (int j = 0; j < 3; ++j)
    if (gap[j] > best.gap) best = {gap[j], -1, j};
  return best;
}

// Along A_i x B_j for the three j: gap times sine, over sine.
void consider_edges(const BoxPair& pair, Axis& best) {
  double to_beat = best.gap + kFacePreference * (pair.half_a.sum() + sum_of_three(pair.half_b));
  const Pack half_1 = __builtin_shufflevector(pair.half_b, pair.half_b, 1, 2, 0, 3);
  const Pack half_2 = __builtin_shufflevector(pair.half_b, pair.half_b, 2, 0, 1, 3);
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    const Pack squared_sine = pair.row[i1] * pair.row[i1] + pair.row[i2] * pair.row[i2];
    const Pack center = magnitude(pair.center[i2] * pair.row[i1] - pair.center[i1] * pair.row[i2]);
    const Pack& own = pair.absolute[i];
    const Pack reach = pair.half_a[i1] * pair.absolute[i2] + pair.half_a[i2] * pair.absolute[i1] +
                       half_1 * __builtin_shufflevector(own, own, 2, 0, 1, 3) +
                       half_2 * __builtin_shufflevector(own, own, 1, 2, 0, 3);
    const Pack gap = (center - reach) / square_root(squared_sine);
    for (int j = 0; j < 3; ++j) {
      if (gap[j] > to_beat && squared_sine[j] > kParallel * kParallel) {
        to_beat = gap[j];
        best = {gap[j], i, j};
      }
    }
  }
}

Vector3d axis_normal(const Placed& a, const Placed& b, const Axis& axis) {
  Vector3d normal;
  if (axis.b < 0)
    normal = a.R.col(axis.a);
  else if (axis.a < 0)
    normal = b.R.col(axis.b);
  else
    normal = a.R.col(axis.a).cross(b.R.col(axis.b)).normalized();
  return normal.dot(b.p - a.p) < 0 ? Vector3d(-normal) : normal;
}

}  // namespace

BoxAxis box_box_axis(const Placed& a, const Placed& b, double limit) {
  const BoxPair pair = box_pair(a, b);
  Axis axis = face_axis(pair, limit);
  if (axis.gap <= limit) consider_edges(pair, axis);
  if (axis.gap > limit) return {axis.gap, Vector3d::UnitZ()};
  return {axis.gap, axis_normal(a, b, axis)};
}

// The deepest point of the manifold: a point that both boxes have.
Separation box_box_separation(const Placed& a, const Placed& b, double limit) {
  const BoxAxis axis = box_box_axis(a, b, limit);
  Separation out;
  out.distance = axis.gap;
  out.normal = axis.normal;
  if (axis.gap > limit) return out;
  if (axis.gap > 0) return convex_separation(a, b, limit);
  Manifold manifold;
  if (!box_box_manifold(a, b, axis.normal, manifold)) return convex_separation(a, b, limit);
  out.point_a = deepest_point(manifold).point_a;
  out.point_b = out.point_a + out.distance * out.normal;
  return out;
}

}  // namespace stickslip
