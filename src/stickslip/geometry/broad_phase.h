#pragma once

#include <utility>
#include <vector>

#include "stickslip/geometry/collision_model.h"

namespace stickslip {

// Which geometries are near enough to each other for a closer look. A workspace: its content speeds up but never
// changes a result.
class BroadPhase {
 public:
  // Pairs (a < b) of boxes that overlap, among those that may collide; sorted. boxes[i] is that of geometry i, already
  // grown by the query's reach.
  void find_pairs(const CollisionModel& collision, const std::vector<Aabb>& boxes,
                  std::vector<std::pair<int, int>>& pairs);

 private:
  std::vector<int> order_;
};

}  // namespace stickslip
