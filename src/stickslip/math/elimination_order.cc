#include "stickslip/math/elimination_order.h"

#include <amd.h>

#include <algorithm>

namespace stickslip {

void EliminationOrder::minimum_degree(const GraphView& graph, std::vector<int>& order) {
  const int n = graph.size();
  const int entries = static_cast<int>(graph.neighbours.size());
  const int room = entries + entries / 5 + n + 1;  // AMD's advice: a fifth and n more than the entries
  constexpr int kArrays = 8;
  memory_.resize(room + kArrays * n);
  order.resize(n);
  if (n == 0) return;
  int* lists = memory_.data();
  std::copy(graph.neighbours.begin(), graph.neighbours.end(), lists);
  const auto array = [&](int i) { return memory_.data() + room + i * n; };
  int* begin = array(0);
  int* length = array(1);
  for (int i = 0; i < n; ++i) {
    begin[i] = graph.begin[i];
    length[i] = graph.begin[i + 1] - graph.begin[i];
  }
  // Not amd_order: that one allocates.
  amd_2(n, begin, lists, length, room, entries, array(2), array(3), order.data(), array(4), array(5), array(6),
        array(7), nullptr, nullptr);
}

// The last node of a search in breadth from start, of those at the same distance the one of least degree.
int EliminationOrder::farthest_node(const GraphView& graph, int start) {
  queue_.clear();
  queue_.push_back(start);
  mark_[start] = 0;
  for (size_t k = 0; k < queue_.size(); ++k) {
    for (const int i : graph.of(queue_[k])) {
      if (mark_[i] >= 0) continue;
      mark_[i] = mark_[queue_[k]] + 1;
      queue_.push_back(i);
    }
  }
  int best = queue_.back();
  for (const int i : queue_) {
    if (mark_[i] == mark_[queue_.back()] && graph.of(i).size() < graph.of(best).size()) best = i;
  }
  for (const int i : queue_) mark_[i] = -1;
  return best;
}

void EliminationOrder::append_levels(const GraphView& graph, int start, std::vector<int>& order) {
  size_t k = order.size();
  order.push_back(start);
  mark_[start] = 0;
  for (; k < order.size(); ++k) {
    const size_t first = order.size();
    for (const int i : graph.of(order[k])) {
      if (mark_[i] >= 0) continue;
      mark_[i] = 0;
      order.push_back(i);
    }
    std::sort(order.begin() + first, order.end(), [&](int a, int b) {
      const size_t degree_a = graph.of(a).size(), degree_b = graph.of(b).size();
      return degree_a != degree_b ? degree_a < degree_b : a < b;
    });
  }
}

void EliminationOrder::reverse_cuthill_mckee(const GraphView& graph, std::vector<int>& order) {
  const int n = graph.size();
  mark_.assign(n, -1);
  order.clear();
  order.reserve(n);
  queue_.reserve(n);
  for (int i = 0; i < n; ++i) {
    if (mark_[i] < 0) append_levels(graph, farthest_node(graph, i), order);
  }
  std::reverse(order.begin(), order.end());
}

}  // namespace stickslip
