#include "stickslip/geometry/flat_hull.h"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

constexpr double kStrip = 0.01;  // of its width: the sides of a narrow strip are not one line, however close

struct FlatPoint {
  double x = 0, y = 0;
  int index = 0;
};

double turn(const FlatPoint& a, const FlatPoint& b, const FlatPoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

double distance_from_line(const FlatPoint& a, const FlatPoint& b, const FlatPoint& point) {
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  return length > 0 ? std::abs(turn(a, b, point)) / length : std::hypot(point.x - a.x, point.y - a.y);
}

std::vector<FlatPoint> project(const std::vector<Vector3d>& points, const std::vector<int>& subset,
                               const Vector3d& normal) {
  const Vector3d along = normal.unitOrthogonal();
  const Vector3d across = normal.cross(along);
  std::vector<FlatPoint> flat;
  flat.reserve(subset.size());
  for (const int i : subset) flat.push_back({along.dot(points[i]), across.dot(points[i]), i});
  std::sort(flat.begin(), flat.end(), [](const FlatPoint& a, const FlatPoint& b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.index < b.index;
  });
  return flat;
}

// One half of Andrew's monotone chain; the last point is left for the other half.
template <typename Iterator>
void append_chain(Iterator begin, Iterator end, std::vector<FlatPoint>& corners) {
  const std::size_t start = corners.size();
  for (Iterator point = begin; point != end; ++point) {
    while (corners.size() >= start + 2 && turn(corners[corners.size() - 2], corners.back(), *point) <= 0) {
      corners.pop_back();
    }
    corners.push_back(*point);
  }
  corners.pop_back();
}

// The narrowest strip that holds the polygon, rotating one side after the other onto the strip's edge.
double width(const std::vector<FlatPoint>& corners) {
  const std::size_t n = corners.size();
  double narrowest = HUGE_VAL;
  for (std::size_t i = 0, opposite = 1; i < n; ++i) {
    const FlatPoint &a = corners[i], &b = corners[(i + 1) % n];
    const auto height = [&](std::size_t k) { return distance_from_line(a, b, corners[k % n]); };
    for (std::size_t tries = 0; tries < n && height(opposite + 1) > height(opposite); ++tries) ++opposite;
    narrowest = std::min(narrowest, height(opposite));
  }
  return narrowest;
}

// Leaves out runs of corners that are all within the tolerance of the line that replaces them.
std::vector<int> straightened(const std::vector<FlatPoint>& corners, double tolerance) {
  const int n = static_cast<int>(corners.size());
  std::vector<int> kept;
  int last = 0;
  kept.push_back(corners[0].index);
  for (int i = 1; i < n; ++i) {
    bool straight = true;
    for (int skipped = last + 1; skipped <= i && straight; ++skipped) {
      straight = distance_from_line(corners[last], corners[(i + 1) % n], corners[skipped]) <= tolerance;
    }
    if (straight) continue;
    kept.push_back(corners[i].index);
    last = i;
  }
  return kept;
}

}  // namespace

std::vector<int> flat_hull(const std::vector<Vector3d>& points, std::vector<int> subset, const Vector3d& normal,
                           double tolerance) {
  const std::vector<FlatPoint> flat = project(points, subset, normal);
  if (flat.size() < 3) return subset;
  std::vector<FlatPoint> corners;
  append_chain(flat.begin(), flat.end(), corners);
  append_chain(flat.rbegin(), flat.rend(), corners);
  if (corners.size() <= 3) {
    std::vector<int> all;
    for (const FlatPoint& corner : corners) all.push_back(corner.index);
    return all;
  }
  return straightened(corners, std::min(tolerance, kStrip * width(corners)));
}

}  // namespace stickslip
