#include "stickslip/geometry/overlap_tree.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace stickslip {
namespace {

constexpr int kLeafSize = 4;

double half_area(const Aabb& box) {
  const Vector3d size = box.upper - box.lower;
  return size.x() * size.y() + size.y() * size.z() + size.z() * size.x();
}

Vector3d twice_center(const Aabb& box) { return box.lower + box.upper; }

// Items of a range sorted into equal slices of their centres' extent along one axis.
constexpr int kBins = 8;
struct Bins {
  int axis = 0;
  double start = 0, extent = 0;
  std::array<Aabb, kBins> box;
  std::array<int, kBins> count{};

  Bins(int axis_, double lower, double upper) : axis(axis_), start(lower), extent(upper - lower) {}
  int operator()(const Aabb& item) const {
    return std::clamp(static_cast<int>(kBins * ((twice_center(item)[axis] - start) / extent)), 0, kBins - 1);
  }
  void add(const Aabb& item) {
    const auto bin = static_cast<std::size_t>((*this)(item));
    box[bin] = box[bin].united(item);
    ++count[bin];
  }
};

// The last bin of the first half in the split of least cost (area times count, both sides).
int best_split(const Bins& bins) {
  std::array<double, kBins> after{};  // cost of the bins from i on
  Aabb box;
  int count = 0;
  for (std::size_t i = kBins - 1; i > 0; --i) {
    box = box.united(bins.box[i]);
    count += bins.count[i];
    after[i] = count > 0 ? count * half_area(box) : 0;
  }
  box = {};
  count = 0;
  int best = kBins / 2 - 1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < kBins; ++i) {
    box = box.united(bins.box[i]);
    count += bins.count[i];
    const double cost = (count > 0 ? count * half_area(box) : 0) + after[i + 1];
    if (cost < least) least = cost, best = static_cast<int>(i);
  }
  return best;
}

}  // namespace

int OverlapTree::add_node(const Range& range) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.push_back({.parent = range.parent, .first = range.first});
  const int count = range.end - range.first;
  if (count > kLeafSize) return index;
  nodes_[index].count = static_cast<short>(count);
  for (int k = range.first; k < range.end; ++k) leaf_of_[items_[k]] = index;
  return index;
}

// Orders the items of a range so that its halves are [first, middle) and [middle, end).
int OverlapTree::split(const std::vector<Aabb>& boxes, const Range& range) {
  const int middle = (range.first + range.end) / 2;
  Aabb centers;
  for (int k = range.first; k < range.end; ++k) centers.include(twice_center(boxes[items_[k]]));
  const Vector3d extent = centers.upper - centers.lower;
  int axis = 0;
  extent.maxCoeff(&axis);
  const auto at = [&](int k) { return items_.begin() + k; };
  if (extent[axis] > 0) {
    Bins bins(axis, centers.lower[axis], centers.upper[axis]);
    for (int k = range.first; k < range.end; ++k) bins.add(boxes[items_[k]]);
    const int last = best_split(bins);
    const auto is_first = [&](int item) { return bins(boxes[item]) <= last; };
    const int cut = static_cast<int>(std::partition(at(range.first), at(range.end), is_first) - items_.begin());
    // A sliver at each level would make a list of the tree.
    constexpr int kLeastShare = 16;
    const int least = (range.end - range.first) / kLeastShare;
    if (cut - range.first > least && range.end - cut > least) return cut;
  }
  // Equal centres are ordered by index, so that the tree is a function of the boxes.
  std::nth_element(at(range.first), at(middle), at(range.end), [&](int a, int b) {
    const double x = twice_center(boxes[a])[axis], y = twice_center(boxes[b])[axis];
    return x < y || (x == y && a < b);
  });
  return middle;
}

void OverlapTree::build(const std::vector<Aabb>& boxes, const std::vector<int>& items,
                        const std::vector<int>& group_of_item) {
  items_ = items;
  nodes_.clear();
  nodes_.reserve(2 * items.size());  // as many as any shape has
  boxes_.resize(items.size());
  groups_.resize(items.size());
  place_of_.resize(boxes.size());
  leaf_of_.resize(boxes.size());
  if (items_.empty()) return;
  ranges_.assign(1, {0, static_cast<int>(items_.size()), 0});
  while (!ranges_.empty()) {
    const Range range = ranges_.back();
    ranges_.pop_back();
    const int index = add_node(range);
    if (nodes_[index].is_leaf()) continue;
    const int middle = split(boxes, range);
    ranges_.push_back({middle, range.end, index});
    ranges_.push_back({range.first, middle, index});
  }
  for (std::size_t k = 0; k < items_.size(); ++k) {
    boxes_[k] = boxes[items_[k]];
    groups_[k] = group_of_item[items_[k]];
    place_of_[items_[k]] = static_cast<int>(k);
  }
  for (int i = static_cast<int>(nodes_.size()) - 1; i >= 0; --i) {
    nodes_[i].skip = nodes_[i].is_leaf() ? i + 1 : nodes_[nodes_[i + 1].skip].skip;
    find_group(nodes_[i], i);
    refit_node(i);
  }
}

// Of a node whose children know theirs.
void OverlapTree::find_group(Node& node, int index) {
  if (node.is_leaf()) {
    const auto first = groups_.begin() + node.first;
    node.is_of_one_group = std::all_of(first, first + node.count, [&](int group) { return group == *first; });
  } else {
    const Node &first = nodes_[index + 1], &second = nodes_[first.skip];
    node.is_of_one_group =
        first.is_of_one_group && second.is_of_one_group && groups_[first.first] == groups_[second.first];
  }
}

void OverlapTree::refit_node(int index) {
  Node& node = nodes_[index];
  if (node.is_leaf()) {
    node.box = {};
    for (int k = node.first; k < node.first + node.count; ++k) node.box = node.box.united(boxes_[k]);
  } else {
    const Node& first = nodes_[index + 1];
    const Node& second = nodes_[first.skip];
    node.box = first.box.united(second.box);
    node.changed = first.changed || second.changed;
  }
}

void OverlapTree::refit(const std::vector<Aabb>& boxes, const std::vector<int>& changed_items) {
  constexpr std::size_t kFew = 40;  // one in so many: beyond that their paths to the root cost more than the whole tree
  for (int item : changed_items) {
    boxes_[place_of_[item]] = boxes[item];
    nodes_[leaf_of_[item]].changed = true;
  }
  if (changed_items.size() * kFew > items_.size()) {
    for (int i = static_cast<int>(nodes_.size()) - 1; i >= 0; --i) refit_node(i);
    return;
  }
  for (int item : changed_items) {
    int node = leaf_of_[item];
    refit_node(node);
    while (node != 0) refit_node(node = nodes_[node].parent);
  }
}

void OverlapTree::settle() {
  for (int i = 0; i < static_cast<int>(nodes_.size());) {
    i = std::exchange(nodes_[i].changed, false) ? i + 1 : nodes_[i].skip;
  }
}

double OverlapTree::cost() const {
  double sum = 0;
  for (const Node& node : nodes_) sum += half_area(node.box);
  const double root = nodes_.empty() ? 0 : half_area(nodes_[0].box);
  return root > 0 ? sum / root : 0;
}

}  // namespace stickslip
