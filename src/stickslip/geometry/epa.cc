#include "stickslip/geometry/epa.h"

#include <algorithm>
#include <limits>

#include "stickslip/geometry/polytope.h"

namespace stickslip {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::infinity();
constexpr double kNoExtent = 1e-12;  // of the scale: flatter than this B - A has no inside
constexpr double kGap = 1e-14;       // of the scale, between a face and the surface beyond it
constexpr double kCoplanar = 1e-15;  // of the scale

// The points the polytope starts from: as many dimensions as B - A has, and perhaps a fifth on the other side.
struct Start {
  int count = 0;
  std::array<DifferencePoint, 5> points;
  Vector3d normal = Vector3d::Zero();  // with three points: of their plane

  const Vector3d& w(int k) const { return points[k].w; }
  void push(const DifferencePoint& point) { points[count++] = point; }
};

double distance_from_line(const Start& start, const Vector3d& w) {
  const Vector3d line = start.w(1) - start.w(0);
  return line.cross(w - start.w(0)).norm() / line.norm();
}

bool add_second(const CorePair& pair, Start& start) {
  double most = kNoExtent * pair.scale;
  for (int k = 0; k < 6; ++k) {
    const Vector3d direction = k % 2 == 0 ? Vector3d::Unit(k / 2) : Vector3d(-Vector3d::Unit(k / 2));
    const DifferencePoint point = support(pair, direction);
    const double distance = (point.w - start.w(0)).norm();
    if (distance <= most) continue;
    most = distance;
    start.points[1] = point;
    start.count = 2;
  }
  return start.count == 2;
}

bool add_third(const CorePair& pair, Start& start) {
  const Vector3d line = (start.w(1) - start.w(0)).normalized();
  const Vector3d across = line.unitOrthogonal(), other = line.cross(across);
  double most = kNoExtent * pair.scale;
  for (int k = 0; k < 6; ++k) {
    const DifferencePoint point = support(pair, std::cos(k * M_PI / 3) * across + std::sin(k * M_PI / 3) * other);
    const double distance = distance_from_line(start, point.w);
    if (distance <= most) continue;
    most = distance;
    start.points[2] = point;
    start.count = 3;
  }
  return start.count == 3;
}

// Above and below the triangle, so that the origin, which is on it, is not outside.
bool add_fourth(const CorePair& pair, Start& start) {
  start.normal = feature_normal(start.points[0], start.points[1], start.points[2]);
  for (const double sign : {-1.0, 1.0}) {
    const DifferencePoint point = support(pair, sign * start.normal);
    if (std::abs(start.normal.dot(point.w - start.w(0))) > kNoExtent * pair.scale) start.push(point);
  }
  return start.count >= 4;
}

double height(const Start& start, const Vector3d& w) { return std::abs(start.normal.dot(w - start.w(0))); }

// As many of the given points as are independent, and more until B - A has no further dimension to offer.
void find_start(const CorePair& pair, const Simplex& simplex, Start& start) {
  const double nothing = kNoExtent * pair.scale;
  for (int k = 0; k < simplex.count; ++k) {
    const DifferencePoint& point = simplex.points[k];
    const bool is_independent = start.count == 0   ? true
                                : start.count == 1 ? (point.w - start.w(0)).norm() > nothing
                                : start.count == 2 ? distance_from_line(start, point.w) > nothing
                                                   : height(start, point.w) > nothing;
    if (is_independent) start.push(point);
    if (start.count == 3) start.normal = feature_normal(start.points[0], start.points[1], start.points[2]);
  }
  if (start.count == 4) return;
  if (start.count == 1 && !add_second(pair, start)) return;
  if (start.count == 2 && !add_third(pair, start)) return;
  add_fourth(pair, start);
}

// B - A is flat: the cores touch without overlapping, and part along a perpendicular of it.
void part_flat(const CorePair& pair, const Simplex& simplex, const Start& start, LeastOverlap& result) {
  const Vector3d towards = pair.center_difference();
  Vector3d normal = start.normal;
  if (start.count < 3) {
    const Vector3d line = start.count == 2 ? Vector3d((start.w(1) - start.w(0)).normalized()) : Vector3d::Zero();
    normal = towards - line.dot(towards) * line;
    if (normal.norm() <= kNoExtent * pair.scale) normal = start.count == 2 ? line.unitOrthogonal() : Vector3d::UnitZ();
    normal.normalize();
  }
  if (normal.dot(towards) < 0) normal = -normal;
  result.normal = normal;
  result.simplex = simplex;
  result.distance = normal.dot(support(pair, normal).w);
  Vector3d nearest = Vector3d::Constant(kNowhere);
  if (reduce_to_nearest(result.simplex, nearest) == Reduction::kInside) {
    result.simplex.count = 1;
    result.simplex.weights[0] = 1;
  }
}

// Where the origin's foot on a face's plane is, as weights of the corners; the least of them is returned.
double weigh_foot(const Polytope& polytope, int face, std::array<double, 4>& weights) {
  const Vector3d& normal = polytope.face(face).normal;
  const Vector3d &a = polytope.corner(face, 0).w, &b = polytope.corner(face, 1).w, &c = polytope.corner(face, 2).w;
  const double at_a = normal.dot(b.cross(c)), at_b = normal.dot(c.cross(a)), at_c = normal.dot(a.cross(b));
  const double sum = at_a + at_b + at_c;
  weights = {at_a / sum, at_b / sum, at_c / sum, 0};
  return std::min({weights[0], weights[1], weights[2]});
}

// A flat part of B - A is several triangles: takes the one that has the foot.
int face_with_foot(const Polytope& polytope, int face, double tolerance, std::array<double, 4>& weights) {
  double best = weigh_foot(polytope, face, weights);
  const Vector3d normal = polytope.face(face).normal;
  const double offset = polytope.offset(face);
  for (int other = 0; other < polytope.face_count() && best < 0; ++other) {
    if (polytope.offset(other) > offset + tolerance || polytope.face(other).normal.dot(normal) < 1 - 1e-9) continue;
    std::array<double, 4> other_weights;
    const double least = weigh_foot(polytope, other, other_weights);
    if (!(least > best)) continue;
    best = least;
    face = other;
    weights = other_weights;
  }
  return face;
}

void clamp_weights(std::array<double, 4>& weights) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) sum += weights[k] = std::max(weights[k], 0.0);
  for (int k = 0; k < 3; ++k) weights[k] = sum > 0 ? weights[k] / sum : 1.0 / 3;
}

void set_result(const Polytope& polytope, int face, const std::array<double, 4>& weights, LeastOverlap& result) {
  result.simplex.count = 3;
  for (int k = 0; k < 3; ++k) result.simplex.points[k] = polytope.corner(face, k);
  result.simplex.weights = weights;
  clamp_weights(result.simplex.weights);
  result.normal = -polytope.face(face).normal;
}

bool is_known(const Polytope& polytope, const DifferencePoint& point) {
  for (int k = 0; k < polytope.point_count(); ++k) {
    if (polytope.point(k).is_same(point)) return true;
  }
  return false;
}

void expand(const CorePair& pair, double tolerance, Polytope& polytope, LeastOverlap& result) {
  std::array<double, 4> weights;
  double least = kNowhere;  // of the overlaps seen: every one is an upper bound
  for (;;) {
    const int face = polytope.nearest_face();
    const double offset = polytope.offset(face);
    if (offset > least + tolerance || offset == kNowhere) return;
    const DifferencePoint point = support(pair, -polytope.face(face).normal);
    const double reach = polytope.face(face).normal.dot(point.w);
    const bool is_last = reach - offset <= tolerance;
    if (reach < least || is_last) {
      const int best = is_last ? face_with_foot(polytope, face, tolerance, weights) : face;
      if (!is_last) weigh_foot(polytope, face, weights);
      set_result(polytope, best, weights, result);
      least = reach;
      result.distance = -reach;
    }
    if (is_last) return;
    if (!pair.is_curved && is_known(polytope, point)) {
      polytope.set_offset(face, reach);  // round-off of a poor triangle: its true place
      continue;
    }
    if (!polytope.add(point, face)) return;
  }
}

}  // namespace

void find_least_overlap(const CorePair& pair, const Simplex& simplex, double curved_gap, LeastOverlap& result) {
  Start start;
  find_start(pair, simplex, start);
  if (start.count < 4) return part_flat(pair, simplex, start, result);
  Polytope polytope(kCoplanar * pair.scale);
  polytope.start(start.points.data(), start.count);
  expand(pair, (pair.is_curved ? curved_gap : kGap) * pair.scale, polytope, result);
}

}  // namespace stickslip
