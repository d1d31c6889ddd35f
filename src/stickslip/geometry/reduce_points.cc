#include "stickslip/geometry/reduce_points.h"

#include <algorithm>
#include <array>
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

void merge_equal(ManifoldPoint* points, int& count) {
  for (int i = 0; i < count; ++i) {
    for (int j = count - 1; j > i; --j) {
      if (!is_same_point(points[i], points[j])) continue;
      points[i].weight += points[j].weight;
      remove(points, count, j);
    }
  }
}

// Longer lists are merged block by block: so the work grows with their length, not with its square.
constexpr int kBlock = 64;

// Merges pairs until `limit` points are left, always the two that spread the least about their common place. So a point
// that has just come, with next to no weight, does not drive others together.
class Merging {
 public:
  Merging(ManifoldPoint* points, int count) : points_(points), count_(count) {
    kept_ = static_cast<int>(&deepest_point(std::span(points, count)) - points);
    for (int i = 0; i < count_; ++i) find_partner(i);
  }

  int run(int limit) {
    while (count_ > limit && merge_best()) {
    }
    while (count_ > limit) drop_last();
    return count_;
  }

 private:
  double spread(int i, int j) const {
    const ManifoldPoint &a = points_[i], &b = points_[j];
    if (i == kept_ || j == kept_ || overlaps(a) != overlaps(b)) return kNever;
    const double weight = a.weight + b.weight;
    return weight > 0 ? a.weight * b.weight / weight * squared_gap(a, b) : 0;
  }

  // The best of those that come later in the list.
  void find_partner(int i) {
    spread_[i] = kNever;
    for (int j = i + 1; j < count_; ++j) {
      if (const double value = spread(i, j); value < spread_[i]) spread_[i] = value, partner_[i] = j;
    }
  }

  bool merge_best() {
    const int i = static_cast<int>(std::min_element(spread_.begin(), spread_.begin() + count_) - spread_.begin());
    if (spread_[i] == kNever) return false;
    const int gone = partner_[i];
    merge(points_[i], points_[gone]);
    remove(points_, count_, gone);
    std::move(spread_.begin() + gone + 1, spread_.begin() + count_ + 1, spread_.begin() + gone);
    std::move(partner_.begin() + gone + 1, partner_.begin() + count_ + 1, partner_.begin() + gone);
    kept_ -= kept_ > gone;
    for (int k = 0; k < count_; ++k) {
      const bool lost = spread_[k] < kNever && (partner_[k] == gone || partner_[k] == i);
      if (spread_[k] < kNever) partner_[k] -= partner_[k] > gone;
      if (lost || k == i) {
        find_partner(k);
      } else if (k < i) {
        if (const double value = spread(k, i); value < spread_[k]) spread_[k] = value, partner_[k] = i;
      }
    }
    return true;
  }

  // Where no two have a finite spread, since motion grew until squares of distances are no numbers any more: whatever
  // is left must fit where it goes.
  void drop_last() {
    const int last = count_ - 1 == kept_ ? count_ - 2 : count_ - 1;
    points_[kept_].weight += points_[last].weight;
    remove(points_, count_, last);
    kept_ -= kept_ > last;
  }

  static constexpr double kNever = std::numeric_limits<double>::infinity();
  ManifoldPoint* points_;
  int count_;
  int kept_;  // the deepest: it stays as it is
  std::array<double, kBlock> spread_;
  std::array<int, kBlock> partner_;
};

int merge_pairs(ManifoldPoint* points, int count, int limit) {
  while (count > kBlock) {
    const int left = Merging(points, kBlock).run(std::max(limit, kBlock / 2));
    std::move(points + kBlock, points + count, points + left);
    count -= kBlock - left;
  }
  return count > limit ? Merging(points, count).run(limit) : count;
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

bool is_same_point(const ManifoldPoint& a, const ManifoldPoint& b) {
  constexpr double kSame = 1e-24;
  return a.feature == b.feature && !(squared_gap(a, b) > kSame * a.point_a.squaredNorm());
}

int reduce_points(ManifoldPoint* points, int count, int limit) {
  if (count <= kBlock) merge_equal(points, count);
  return merge_pairs(points, count, limit);
}

void reduce_points(Manifold& manifold, int limit) {
  if (limit <= kSupportPoints)
    reduce_to_support(manifold);
  else
    manifold.count = reduce_points(manifold.points.data(), manifold.count, limit);
}

}  // namespace stickslip
