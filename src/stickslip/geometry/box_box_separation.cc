#include <algorithm>
#include <cmath>
#include <limits>

#include "stickslip/geometry/manifold.h"
#include "stickslip/geometry/primitive_separation.h"
#include "stickslip/geometry/segments.h"

namespace stickslip {
namespace {

// The separating axis with the least overlap. An edge must beat the faces by this part of the size: between a face and
// a nearly parallel edge pair round-off must not choose.
constexpr double kFacePreference = 1e-10;
// Edges more parallel than this (sine of their angle) are left to the faces.
constexpr double kParallel = 1e-5;

struct Axis {
  double gap = -std::numeric_limits<double>::infinity();
  int a = -1, b = -1;  // face of A (b = -1), face of B (a = -1), or edge directions of both
};

struct BoxPair {
  Matrix3d C;         // B's axes in A's
  Matrix3d absolute;  // |C|
  Vector3d t;         // B's centre in A's frame
  Vector3d half_a, half_b;
};

// The widest gap over the six face normals; stops as soon as one exceeds the limit.
Axis face_axis(const BoxPair& pair, double limit) {
  const Vector3d gap_a = pair.t.cwiseAbs() - pair.half_a - pair.absolute * pair.half_b;
  int a = 0, b = 0;
  const double best_a = gap_a.maxCoeff(&a);
  if (best_a > limit) return {best_a, a, -1};
  const Vector3d gap_b =
      (pair.C.transpose() * pair.t).cwiseAbs() - pair.half_b - pair.absolute.transpose() * pair.half_a;
  const double best_b = gap_b.maxCoeff(&b);
  return best_b > best_a ? Axis{best_b, -1, b} : Axis{best_a, a, -1};
}

void consider_edges(const BoxPair& pair, Axis& best) {
  const double margin = kFacePreference * (pair.half_a.sum() + pair.half_b.sum());
  double to_beat = best.gap + margin;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double squared_sine = pair.C(i1, j) * pair.C(i1, j) + pair.C(i2, j) * pair.C(i2, j);
      if (squared_sine < kParallel * kParallel) continue;
      // Along A_i x B_j, times the sine.
      const double center = std::abs(pair.t[i2] * pair.C(i1, j) - pair.t[i1] * pair.C(i2, j));
      const double reach = pair.half_a[i1] * pair.absolute(i2, j) + pair.half_a[i2] * pair.absolute(i1, j) +
                           pair.half_b[j1] * pair.absolute(i, j2) + pair.half_b[j2] * pair.absolute(i, j1);
      const double gap = (center - reach) / std::sqrt(squared_sine);
      if (gap > to_beat) {
        to_beat = gap;
        best = {gap, i, j};
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

// The edge of a box, along its axis `k`, that is farthest along `direction`.
Segment outer_edge(const Placed& box, int k, const Vector3d& direction) {
  Segment edge{box.p, box.R.col(k), box.shape->half[k]};
  for (int i = 0; i < 3; ++i) {
    if (i != k) edge.center += std::copysign(box.shape->half[i], direction.dot(box.R.col(i))) * box.R.col(i);
  }
  return edge;
}

}  // namespace

Separation box_box_separation(const Placed& a, const Placed& b, double limit) {
  BoxPair pair;
  pair.C.noalias() = a.R.transpose() * b.R;
  pair.absolute = pair.C.cwiseAbs();
  pair.t.noalias() = a.R.transpose() * (b.p - a.p);
  pair.half_a = a.shape->half;
  pair.half_b = b.shape->half;
  Separation out;
  Axis axis = face_axis(pair, limit);
  if (axis.gap <= limit) consider_edges(pair, axis);
  out.distance = axis.gap;
  if (axis.gap > limit) return out;
  if (axis.gap > 0) return convex_separation(a, b, limit);
  out.normal = axis_normal(a, b, axis);
  if (axis.a >= 0 && axis.b >= 0) {
    const Segment edge_a = outer_edge(a, axis.a, out.normal), edge_b = outer_edge(b, axis.b, -out.normal);
    out.point_a = edge_a.at(nearest_points(edge_a, edge_b).t_a);
  } else if (axis.b < 0) {
    out.point_a = support_point(b, -out.normal) - out.distance * out.normal;
  } else {
    out.point_a = support_point(a, out.normal);
  }
  out.point_b = out.point_a + out.distance * out.normal;
  return out;
}

}  // namespace stickslip
