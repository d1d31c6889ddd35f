#include "stickslip/geometry/reduce_points.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

bool overlaps(const ManifoldPoint& point) { return point.distance < 0; }

void merge(ManifoldPoint& into, const ManifoldPoint& from) {
  const double weight = into.weight + from.weight;
  if (overlaps(into)) {
    const double force = into.weight * into.distance, other = from.weight * from.distance;
    const double sum = force + other;
    if (sum < 0) into.point_a = (force * into.point_a + other * from.point_a) / sum;
    if (weight > 0) into.distance = sum / weight;
    into.feature = from.weight > into.weight ? from.feature : into.feature;
  } else if (from.distance < into.distance) {
    into = from;
  }
  into.weight = weight;
}

void remove(ManifoldPoint* points, int& count, int index) {
  std::move(points + index + 1, points + count, points + index);
  --count;
}

double squared_gap(const ManifoldPoint& a, const ManifoldPoint& b) { return (a.point_a - b.point_a).squaredNorm(); }

// Corners that two blended faces share are one point, up to round-off.
void merge_equal(ManifoldPoint* points, int& count) {
  constexpr double kSame = 1e-24;
  for (int i = 0; i < count; ++i) {
    for (int j = count - 1; j > i; --j) {
      if (points[i].feature != points[j].feature) continue;
      if (squared_gap(points[i], points[j]) > kSame * points[i].point_a.squaredNorm()) continue;
      points[i].weight += points[j].weight;
      remove(points, count, j);
    }
  }
}

// The deepest stays as it is.
bool nearest_pair(const ManifoldPoint* points, int count, int& first, int& second) {
  const auto kept = &deepest_point(std::span(points, count)) - points;
  double best = std::numeric_limits<double>::infinity();
  first = -1;
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      if (i == kept || j == kept || overlaps(points[i]) != overlaps(points[j])) continue;
      const double gap = squared_gap(points[i], points[j]);
      if (gap < best) best = gap, first = i, second = j;
    }
  }
  return first >= 0;
}

constexpr int kSupportPoints = 4;

// Puts the point with the highest score at `position`, among it and those behind.
template <class Score>
void pick(Manifold& manifold, int position, Score&& score) {
  const auto first = manifold.points.begin() + position, last = manifold.points.begin() + manifold.count;
  std::iter_swap(first, std::max_element(first, last, [&](const ManifoldPoint& a, const ManifoldPoint& b) {
                   return score(a) < score(b);
                 }));
}

// The deepest, the farthest from it, and the farthest from their line on either side.
void reduce_to_support(Manifold& manifold) {
  if (manifold.count <= kSupportPoints) return;
  auto& points = manifold.points;
  pick(manifold, 0, [](const ManifoldPoint& p) { return -p.distance; });
  pick(manifold, 1, [&](const ManifoldPoint& p) { return squared_gap(p, points[0]); });
  const Vector3d across = manifold.normal.cross(points[1].point_a - points[0].point_a);
  const auto side = [&](const ManifoldPoint& p) { return across.dot(p.point_a - points[0].point_a); };
  pick(manifold, 2, [&](const ManifoldPoint& p) { return std::abs(side(p)); });
  const double taken = side(points[2]) > 0 ? 1 : -1;
  pick(manifold, 3, [&](const ManifoldPoint& p) { return -taken * side(p); });
  for (int i = kSupportPoints; i < manifold.count; ++i) {
    const auto nearest = std::min_element(
        points.begin(), points.begin() + kSupportPoints,
        [&](const auto& a, const auto& b) { return squared_gap(points[i], a) < squared_gap(points[i], b); });
    nearest->weight += points[i].weight;
  }
  manifold.count = kSupportPoints;
}

}  // namespace

int reduce_points(ManifoldPoint* points, int count, int limit) {
  merge_equal(points, count);
  int first = 0, second = 0;
  while (count > limit && nearest_pair(points, count, first, second)) {
    merge(points[first], points[second]);
    remove(points, count, second);
  }
  return count;
}

void reduce_points(Manifold& manifold, int limit) {
  if (limit <= kSupportPoints)
    reduce_to_support(manifold);
  else
    manifold.count = reduce_points(manifold.points.data(), manifold.count, limit);
}

}  // namespace stickslip
