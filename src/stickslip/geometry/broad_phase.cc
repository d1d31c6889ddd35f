#include "stickslip/geometry/broad_phase.h"

#include <algorithm>

namespace stickslip {
namespace {

// A loose box is larger than its box by this part of its mean side, and by the way of the next queries as far as the
// last ones tell: of as many as fit into a part of its mean side. If that is only a few, the box will soon leave
// anyway, and the way ahead would only make candidates.
constexpr double kSlack = 0.02;
constexpr double kLongestWay = 0.5;
constexpr double kMostQueries = 8;
constexpr double kFewestQueries = 3;
// A loose box whose sides are in sum larger by this factor (it was made for a faster body, or for a longer step) makes
// needless candidates.
constexpr double kTooLoose = 2.5;
// A tree is built anew when refitting has made it worse by this factor.
constexpr double kWorse = 1.3;

double sum_of_sides(const Aabb& box) { return (box.upper - box.lower).sum(); }

// Neither infinite, nor no number, nor so far away that products of lengths overflow.
bool is_bounded(const Aabb& box) {
  constexpr double kFar = 1e100;
  return (box.lower.array() > -kFar).all() && (box.upper.array() < kFar).all() &&
         (box.lower.array() <= box.upper.array()).all();
}

int first_of(std::uint64_t key) { return static_cast<int>(key >> 32); }
int second_of(std::uint64_t key) { return static_cast<int>(key & 0xffffffffu); }

}  // namespace

void BroadPhase::forget(const CollisionModel& collision, const std::vector<Aabb>& boxes) {
  const int count = static_cast<int>(boxes.size());
  filter_ = collision.filter_hash;
  loose_.assign(boxes.size(), {});
  track_.assign(boxes.size(), {});
  has_left_.assign(boxes.size(), false);
  link_.clear();
  for (const CollisionGeometry& geometry : collision.geometries) link_.push_back(geometry.link);
  candidates_.clear();
  mobile_.members.clear();
  immobile_.members.clear();
  unbounded_.clear();
  mobile_.cost = immobile_.cost = 0;
  for (int i = 0; i < count; ++i) {
    Track& track = track_[i];
    track.group = !is_bounded(boxes[i]) ? kUnbounded : collision.geometries[i].is_mobile ? kMobile : kImmobile;
    track.center = boxes[i].center();
    track.query = query_;
    std::vector<int>* const lists[] = {&mobile_.members, &immobile_.members, &unbounded_};
    lists[track.group]->push_back(i);
  }
}

void BroadPhase::loosen(int i, const Aabb& box) {
  Track& track = track_[i];
  has_left_[i] = true;
  loose_[i] = box;
  if (track.group == kUnbounded) return;
  const Vector3d center = box.center();
  const double side = sum_of_sides(box) / 3;
  const auto queries = static_cast<double>(std::max(query_ - track.query, 1u));
  const Vector3d step = (center - track.center) / queries;
  const double ahead = std::min(kMostQueries, kLongestWay * side / step.cwiseAbs().maxCoeff());
  const Vector3d way = ahead >= kFewestQueries ? Vector3d(ahead * step) : Vector3d::Zero();
  loose_[i].lower += way.cwiseMin(0) - Vector3d::Constant(kSlack * side);
  loose_[i].upper += way.cwiseMax(0) + Vector3d::Constant(kSlack * side);
  track.center = center;
  track.query = query_;
}

// New loose boxes for those that left theirs. Returns false if a box has become infinite (or no number), or has ceased
// to be.
bool BroadPhase::find_leavers(const std::vector<Aabb>& boxes) {
  mobile_.leavers.clear();
  immobile_.leavers.clear();
  leavers_.clear();
  const int count = static_cast<int>(boxes.size());
  for (int i = 0; i < count; ++i) {
    const Aabb& box = boxes[i];
    if (loose_[i].contains(box) && !(sum_of_sides(loose_[i]) > kTooLoose * sum_of_sides(box))) continue;
    if (is_bounded(box) != (track_[i].group != kUnbounded)) return false;
    loosen(i, box);
    leavers_.push_back(i);
    if (track_[i].group == kMobile) mobile_.leavers.push_back(i);
    if (track_[i].group == kImmobile) immobile_.leavers.push_back(i);
  }
  return true;
}

void BroadPhase::update_tree(Forest& forest) {
  if (forest.cost > 0 && forest.leavers.empty()) return;
  if (forest.cost > 0) {
    forest.tree.refit(loose_, forest.leavers);
    if (forest.tree.cost() <= kWorse * forest.cost) return;
  }
  forest.tree.build(loose_, forest.members, link_);
  forest.cost = std::max(1.0, forest.tree.cost());
}

// Pairs of which at least one has left.
void BroadPhase::find_candidates(const CollisionModel& collision) {
  found_.clear();
  const auto add = [&](int i, int j) {
    const bool is_new = has_left_[i] || has_left_[j];
    if (is_new && collision.may_collide(i, j)) found_.push_back(pair_key(i, j));
  };
  mobile_.tree.for_each_overlap(stack_, add);
  mobile_.tree.for_each_overlap(immobile_.tree, stack_, add);
  // Those without bounds are few: each is tried with all that left, or with all if it has left itself. Of two of them
  // the one that left reports, or the first.
  const auto try_unbounded = [&](int i, int j) {
    const bool reports = track_[j].group != kUnbounded || (has_left_[i] && (!has_left_[j] || i < j));
    if (reports && loose_[i].overlaps(loose_[j])) add(i, j);
  };
  for (int i : unbounded_) {
    if (has_left_[i]) {
      for (int j = 0; j < static_cast<int>(loose_.size()); ++j) try_unbounded(i, j);
    } else {
      for (int j : leavers_) try_unbounded(i, j);
    }
  }
}

// found_ -> sorted_. Many are sorted by buckets of the smaller index, which are short.
void BroadPhase::sort_found() {
  sorted_.resize(found_.size());
  if (found_.size() < loose_.size()) {
    std::copy(found_.begin(), found_.end(), sorted_.begin());
    std::sort(sorted_.begin(), sorted_.end());
    return;
  }
  bucket_.assign(loose_.size() + 1, 0);
  for (std::uint64_t key : found_) ++bucket_[first_of(key) + 1];
  for (std::size_t i = 1; i < bucket_.size(); ++i) bucket_[i] += bucket_[i - 1];
  for (std::uint64_t key : found_) sorted_[bucket_[first_of(key)]++] = key;  // each start moves to the bucket's end
  std::size_t start = 0;
  for (std::size_t i = 0; i < loose_.size(); ++i) {
    std::sort(sorted_.data() + start, sorted_.data() + bucket_[i]);
    start = bucket_[i];
  }
}

void BroadPhase::replace_candidates() {
  sort_found();
  kept_.clear();
  for (std::uint64_t key : candidates_) {
    if (!has_left_[first_of(key)] && !has_left_[second_of(key)]) kept_.push_back(key);
  }
  if (kept_.empty()) {
    candidates_.swap(sorted_);
    return;
  }
  candidates_.resize(kept_.size() + sorted_.size());
  std::merge(kept_.begin(), kept_.end(), sorted_.begin(), sorted_.end(), candidates_.begin());
}

void BroadPhase::update_candidates(const CollisionModel& collision) {
  update_tree(mobile_);
  update_tree(immobile_);
  find_candidates(collision);
  replace_candidates();
  // After a jump all are found at once, and some more than now: memory for that, so that going back to a state seen
  // before allocates nothing.
  for (std::vector<std::uint64_t>* list : {&found_, &sorted_, &kept_, &candidates_}) {
    if (list->capacity() < candidates_.size() * 3 / 2) list->reserve(4 * candidates_.size());
  }
  mobile_.tree.settle();
  immobile_.tree.settle();
  for (int i : leavers_) has_left_[i] = false;
}

void BroadPhase::keep_overlapping(const std::vector<Aabb>& boxes, std::vector<std::pair<int, int>>& pairs) const {
  pairs.resize(candidates_.size());
  std::size_t count = 0;
  for (std::uint64_t key : candidates_) {  // no branch: every other candidate overlaps
    pairs[count] = {first_of(key), second_of(key)};
    count += boxes[first_of(key)].overlaps(boxes[second_of(key)]);
  }
  pairs.resize(count);
}

void BroadPhase::find_pairs(const CollisionModel& collision, const std::vector<Aabb>& boxes,
                            std::vector<std::pair<int, int>>& pairs) {
  ++query_;
  if (collision.filter_hash != filter_ || boxes.size() != loose_.size()) forget(collision, boxes);
  if (!find_leavers(boxes)) {
    forget(collision, boxes);
    find_leavers(boxes);
  }
  if (!leavers_.empty()) update_candidates(collision);
  keep_overlapping(boxes, pairs);
}

}  // namespace stickslip
