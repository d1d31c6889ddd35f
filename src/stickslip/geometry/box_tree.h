#pragma once

#include <array>
#include <cassert>
#include <vector>

#include "stickslip/geometry/aabb.h"

namespace stickslip {

// A static tree of boxes over numbered items. Built once, asked often; questions allocate nothing.
struct BoxTree {
  struct Node {
    Aabb box;
    int first = 0;  // leaf: its first item in `items`; else the left child, whose sibling follows it
    int count = 0;  // of items; 0: not a leaf
  };
  std::vector<Node> nodes;  // the root first; none if there are no items
  std::vector<int> items;

  // No path is longer than this, see make_box_tree.
  static constexpr int kMaxDepth = 96;
};

BoxTree make_box_tree(const std::vector<Aabb>& boxes);

// Calls visit(item) for every item in a leaf for which wanted(box) holds all the way down. Depth first, left first: the
// order depends only on the tree.
template <class Wanted, class Visitor>
void visit_items(const BoxTree& tree, Wanted&& wanted, Visitor&& visit) {
  if (tree.nodes.empty()) return;
  std::array<int, BoxTree::kMaxDepth> waiting;
  int top = 0;
  waiting[top++] = 0;
  while (top > 0) {
    const BoxTree::Node& node = tree.nodes[waiting[--top]];
    if (!wanted(node.box)) continue;
    for (int i = 0; i < node.count; ++i) visit(tree.items[node.first + i]);
    if (node.count > 0) continue;
    assert(top + 2 <= BoxTree::kMaxDepth);
    waiting[top++] = node.first + 1;
    waiting[top++] = node.first;
  }
}

// The same for a search: calls visit(item) for the items of leaves that are no farther than bound(), which may shrink
// meanwhile. Of two children the one with the smaller gap(box) comes first, the left one if they are alike.
template <class Gap, class Bound, class Visitor>
void visit_nearest_first(const BoxTree& tree, Gap&& gap, Bound&& bound, Visitor&& visit) {
  if (tree.nodes.empty()) return;
  struct Waiting {
    int node;
    double gap;
  };
  std::array<Waiting, BoxTree::kMaxDepth> waiting;
  int top = 0;
  waiting[top++] = {0, gap(tree.nodes[0].box)};
  while (top > 0) {
    const Waiting next = waiting[--top];
    if (next.gap > bound()) continue;
    const BoxTree::Node& node = tree.nodes[next.node];
    for (int i = 0; i < node.count; ++i) visit(tree.items[node.first + i]);
    if (node.count > 0) continue;
    assert(top + 2 <= BoxTree::kMaxDepth);
    const Waiting left{node.first, gap(tree.nodes[node.first].box)};
    const Waiting right{node.first + 1, gap(tree.nodes[node.first + 1].box)};
    waiting[top++] = left.gap <= right.gap ? right : left;
    waiting[top++] = left.gap <= right.gap ? left : right;
  }
}

}  // namespace stickslip
