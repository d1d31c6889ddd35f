#pragma once

#include <utility>
#include <vector>

#include "stickslip/geometry/aabb.h"

namespace stickslip {

// A binary tree over boxes that finds which of them overlap. It may be out of shape, never wrong: a box that moves
// changes its leaf and all above it, and only a new build changes who is whose neighbour.
//
// Leaves with boxes that were set since the last settle() are *changed*, and so are all nodes above them. Searches look
// at no others.
//
// Items of one group are never a pair. Where all below two nodes is of one group nothing there is tried: a body of many
// geometries costs what they are, not what their pairs are.
class OverlapTree {
 public:
  // A tree over boxes[i] for i in items: by the surface area heuristic with a few bins. All are changed.
  void build(const std::vector<Aabb>& boxes, const std::vector<int>& items, const std::vector<int>& group_of_item);

  // New boxes for some items, without a new build.
  void refit(const std::vector<Aabb>& boxes, const std::vector<int>& changed_items);

  // Nothing is changed any more.
  void settle();

  // The surface area heuristic: the sum of the nodes' areas over the root's. Grows as the tree loses shape.
  double cost() const;

  bool empty() const { return nodes_.empty(); }

  using Stack = std::vector<std::pair<int, int>>;  // scratch of the searches

  // Calls visit(item, item) once for each pair of overlapping boxes, of which at least one is in a changed leaf. Pairs
  // of subtrees are tried together, so that the time does not grow with the depth of the tree.
  template <typename Visit>
  void for_each_overlap(Stack& stack, Visit&& visit) const {
    for (int i = 0; i < static_cast<int>(nodes_.size());) {
      const Node& node = nodes_[i];
      if (!node.changed || node.is_of_one_group) {
        i = node.skip;
        continue;
      }
      if (node.is_leaf()) {
        visit_within(node, visit);
      } else {
        search(*this, i + 1, nodes_[i + 1].skip, stack, visit);
      }
      ++i;
    }
  }

  // The same between this tree and another.
  template <typename Visit>
  void for_each_overlap(const OverlapTree& other, Stack& stack, Visit&& visit) const {
    if (!empty() && !other.empty()) search(other, 0, 0, stack, visit);
  }

 private:
  struct alignas(64) Node {  // a cache line
    Aabb box;
    int skip = 0;     // the node after its subtree
    int parent = 0;   // of the root: 0
    int first = 0;    // of its range in items_ and boxes_
    short count = 0;  // leaf: of its range
    bool changed = true;
    bool is_of_one_group = false;  // all below it; the group of its first item

    bool is_leaf() const { return count > 0; }
  };
  struct Range {
    int first = 0, end = 0;  // in items_
    int parent = 0;
  };

  template <typename Visit>
  void visit_within(const Node& leaf, Visit&& visit) const {
    for (int i = leaf.first; i < leaf.first + leaf.count; ++i) {
      for (int j = i + 1; j < leaf.first + leaf.count; ++j) {
        if (boxes_[i].overlaps(boxes_[j]) && groups_[i] != groups_[j]) visit(items_[i], items_[j]);
      }
    }
  }

  bool are_of_one_group(const OverlapTree& other, const Node& x, const Node& y) const {
    return x.is_of_one_group && y.is_of_one_group && groups_[x.first] == other.groups_[y.first];
  }

  template <typename Visit>
  void visit_between(const OverlapTree& other, const Node& x, const Node& y, Visit&& visit) const {
    for (int i = x.first; i < x.first + x.count; ++i) {
      if (!boxes_[i].overlaps(y.box)) continue;
      for (int j = y.first; j < y.first + y.count; ++j) {
        if (boxes_[i].overlaps(other.boxes_[j]) && groups_[i] != other.groups_[j]) visit(items_[i], other.items_[j]);
      }
    }
  }

  // A pair of nodes is dropped, reported, or left on the stack.
  template <typename Visit>
  void try_pair(const OverlapTree& other, int a, int b, Stack& stack, Visit&& visit) const {
    const Node& x = nodes_[a];
    const Node& y = other.nodes_[b];
    if (!x.box.overlaps(y.box) || !(x.changed || y.changed) || are_of_one_group(other, x, y)) return;
    if (x.is_leaf() && y.is_leaf()) {
      visit_between(other, x, y, visit);
    } else {
      stack.emplace_back(a, b);
    }
  }

  // All pairs below two nodes. Of a pair of nodes the one with the larger subtree is opened.
  template <typename Visit>
  void search(const OverlapTree& other, int first, int second, Stack& stack, Visit&& visit) const {
    stack.clear();
    // A pair that is opened leaves one more on the stack at most: it has never more than both trees have nodes, however
    // they are shaped, and a later search needs no more memory.
    stack.reserve(2 * (items_.size() + other.items_.size()));
    try_pair(other, first, second, stack, visit);
    while (!stack.empty()) {
      const auto [a, b] = stack.back();
      stack.pop_back();
      if (nodes_[a].skip - a > other.nodes_[b].skip - b) {
        try_pair(other, a + 1, b, stack, visit);
        try_pair(other, nodes_[a + 1].skip, b, stack, visit);
      } else {
        try_pair(other, a, b + 1, stack, visit);
        try_pair(other, a, other.nodes_[b + 1].skip, stack, visit);
      }
    }
  }

  int add_node(const Range& range);
  int split(const std::vector<Aabb>& boxes, const Range& range);
  void find_group(Node& node, int index);
  void refit_node(int node);

  std::vector<Node> nodes_;    // a parent, its first subtree, its second subtree
  std::vector<int> items_;     // leaf by leaf
  std::vector<Aabb> boxes_;    // of items_
  std::vector<int> groups_;    // of items_
  std::vector<int> place_of_;  // of each item in items_
  std::vector<int> leaf_of_;   // of each item: its node
  std::vector<Range> ranges_;  // scratch of build
};

}  // namespace stickslip
