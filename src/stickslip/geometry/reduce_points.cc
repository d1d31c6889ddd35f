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

int reduce_to_support(const Vector3d& normal, ManifoldPoint* points, int count) {
  if (count <= 4) return count;
  const auto pick = [&](int position, const auto& score) {
    int best = position;
    for (int i = position + 1; i < count; ++i)
      if (score(points[i]) > score(points[best])) best = i;
    std::swap(points[position], points[best]);
  };
  pick(0, [](const ManifoldPoint& p) { return -p.distance; });
  pick(1, [&](const ManifoldPoint& p) { return squared_gap(p, points[0]); });
  const Vector3d across = normal.cross(points[1].point_a - points[0].point_a);
  const auto side = [&](const ManifoldPoint& p) { return across.dot(p.point_a - points[0].point_a); };
  pick(2, [&](const ManifoldPoint& p) { return std::abs(side(p)); });
  const double taken = side(points[2]) > 0 ? 1 : -1;
  pick(3, [&](const ManifoldPoint& p) { return -taken * side(p); });
  for (int i = 4; i < count; ++i) {  // the weight of what is left out goes to the nearest that stays
    int nearest = 0;
    for (int k = 1; k < 4; ++k)
      if (squared_gap(points[i], points[k]) < squared_gap(points[i], points[nearest])) nearest = k;
    points[nearest].weight += points[i].weight;
  }
  return 4;
}

}  // namespace stickslip
