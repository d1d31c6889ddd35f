#include "stickslip/geometry/broad_phase.h"

#include <algorithm>
#include <numeric>

namespace stickslip {

void BroadPhase::find_pairs(const CollisionModel& collision, const std::vector<Aabb>& boxes,
                            std::vector<std::pair<int, int>>& pairs) {
  pairs.clear();
  order_.resize(boxes.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](int a, int b) { return boxes[a].lower.x() < boxes[b].lower.x(); });
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Aabb& box = boxes[order_[i]];
    for (std::size_t j = i + 1; j < order_.size() && boxes[order_[j]].lower.x() <= box.upper.x(); ++j) {
      const auto [a, b] = std::minmax(order_[i], order_[j]);
      if (box.overlaps(boxes[order_[j]]) && collision.may_collide(a, b)) pairs.emplace_back(a, b);
    }
  }
  std::sort(pairs.begin(), pairs.end());
}

}  // namespace stickslip
