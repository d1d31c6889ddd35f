#pragma once

#include <span>
#include <vector>

namespace stickslip {

// Neighbours of node i: neighbours[begin[i]] up to neighbours[begin[i + 1]]. Each edge stands at both its nodes, once.
struct GraphView {
  std::span<const int> begin;  // one more than nodes
  std::span<const int> neighbours;

  int size() const { return static_cast<int>(begin.size()) - 1; }
  std::span<const int> of(int node) const { return neighbours.subspan(begin[node], begin[node + 1] - begin[node]); }
};

// Orders in which to eliminate the nodes of a graph: order[k] is the k-th node. Both are deterministic. Memory is kept
// from call to call, and grows only.
class EliminationOrder {
 public:
  // Little fill: approximate minimum degree (Amestoy, Davis, Duff 1996), SuiteSparse's.
  void minimum_degree(const GraphView& graph, std::vector<int>& order);

  // Neighbours close to each other, leaves of a tree before their parents: reverse Cuthill-McKee.
  void reverse_cuthill_mckee(const GraphView& graph, std::vector<int>& order);

 private:
  int farthest_node(const GraphView& graph, int start);
  void append_levels(const GraphView& graph, int start, std::vector<int>& order);

  std::vector<int> memory_;
  std::vector<int> mark_;
  std::vector<int> queue_;
};

}  // namespace stickslip
