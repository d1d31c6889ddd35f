#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "stickslip/geometry/collision_model.h"
#include "stickslip/geometry/overlap_tree.h"

namespace stickslip {

// Which geometries are near enough to each other for a closer look. A workspace: its content speeds up but never
// changes a result.
//
// Every geometry has a loose box around its box. While no box leaves its loose box, the pairs of loose boxes that
// overlap (the candidates) hold every pair of boxes that do, and a query only looks through them. Those that leave get
// a new loose box and new candidates, found in trees of loose boxes.
class BroadPhase {
 public:
  // Pairs (a < b) of boxes that overlap, among those that may collide; sorted. boxes[i] is that of geometry i, already
  // grown by the query's reach.
  void find_pairs(const CollisionModel& collision, const std::vector<Aabb>& boxes,
                  std::vector<std::pair<int, int>>& pairs);

 private:
  enum Group : std::uint8_t { kMobile, kImmobile, kUnbounded };
  struct Track {
    Vector3d center = Vector3d::Zero();  // of the box when the loose box was made
    std::uint32_t query = 0;             // and when that was
    Group group = kMobile;
  };
  struct Forest {  // the geometries of a group, those of them that left, and their loose boxes in a tree
    std::vector<int> members, leavers;
    OverlapTree tree;
    double cost = 0;  // of the tree when it was built; 0: none yet
  };

  void forget(const CollisionModel& collision, const std::vector<Aabb>& boxes);
  bool find_leavers(const std::vector<Aabb>& boxes);
  void loosen(int i, const Aabb& box);
  void update_tree(Forest& forest);
  void find_candidates(const CollisionModel& collision);
  void sort_found();
  void replace_candidates();
  void update_candidates(const CollisionModel& collision);
  void keep_overlapping(const std::vector<Aabb>& boxes, std::vector<std::pair<int, int>>& pairs) const;

  std::uint64_t filter_ = 0;  // of the model that the content belongs to
  std::uint32_t query_ = 0;
  std::vector<Aabb> loose_;
  std::vector<Track> track_;
  std::vector<char> has_left_;  // the loose box was made in this query
  std::vector<int> link_;       // of each geometry
  Forest mobile_, immobile_;
  std::vector<int> unbounded_;
  std::vector<int> leavers_;
  std::vector<std::uint64_t> candidates_;             // pair_key, sorted
  std::vector<std::uint64_t> found_, sorted_, kept_;  // scratch
  std::vector<std::size_t> bucket_;                   // scratch
  OverlapTree::Stack stack_;                          // scratch
};

}  // namespace stickslip
