#include "stickslip/math/elimination_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>

namespace stickslip {
namespace {

using Neighbours = std::vector<std::vector<int>>;

void connect(int i, int j, Neighbours& graph) {
  graph[i].push_back(j);
  graph[j].push_back(i);
}

// Calls function(view) of a graph.
template <class Function>
void with_view(const Neighbours& graph, const Function& function) {
  std::vector<int> begin{0}, flat;
  for (const std::vector<int>& neighbours : graph) {
    flat.insert(flat.end(), neighbours.begin(), neighbours.end());
    begin.push_back(static_cast<int>(flat.size()));
  }
  function(GraphView{begin, flat});
}

// Its nodes are numbered at random.
Neighbours random_tree(int count, std::mt19937& random) {
  std::vector<int> name(count);
  std::iota(name.begin(), name.end(), 0);
  std::shuffle(name.begin(), name.end(), random);
  Neighbours out(count);
  for (int i = 1; i < count; ++i) connect(name[i], name[random() % i], out);
  return out;
}

// Neighbours of a node that come after it.
int later_neighbours(const Neighbours& graph, const std::vector<int>& order, int node) {
  const auto place = [&](int i) { return std::find(order.begin(), order.end(), i) - order.begin(); };
  return static_cast<int>(
      std::count_if(graph[node].begin(), graph[node].end(), [&](int i) { return place(i) > place(node); }));
}

// Elimination of a node connects all its later neighbours: of one there is nothing to connect.
TEST(EliminationOrder, TreesHaveNoFill) {
  std::mt19937 random(1);
  EliminationOrder elimination;
  std::vector<int> order;
  for (const int count : {0, 1, 2, 3, 10, 60}) {
    const Neighbours tree = random_tree(count, random);
    std::vector<int> all(count);
    std::iota(all.begin(), all.end(), 0);
    with_view(tree, [&](const GraphView& view) {
      elimination.minimum_degree(view, order);
      EXPECT_THAT(order, testing::UnorderedElementsAreArray(all));
      for (const int i : order) EXPECT_LE(later_neighbours(tree, order, i), 1);
      elimination.reverse_cuthill_mckee(view, order);
      EXPECT_THAT(order, testing::UnorderedElementsAreArray(all));
      for (const int i : order) EXPECT_LE(later_neighbours(tree, order, i), 1);
    });
  }
}

// A ladder of rungs of two: neighbours are two places apart at most, wherever the numbers begin.
TEST(EliminationOrder, CuthillMckeeKeepsNeighboursClose) {
  constexpr int kRungs = 20;
  std::vector<int> name(2 * kRungs);
  std::iota(name.begin(), name.end(), 0);
  std::mt19937 random(2);
  std::shuffle(name.begin(), name.end(), random);
  Neighbours ladder(2 * kRungs);
  for (int i = 0; i < kRungs; ++i) {
    connect(name[2 * i], name[2 * i + 1], ladder);
    for (int side = 0; side < 2 && i > 0; ++side) connect(name[2 * i + side], name[2 * i + side - 2], ladder);
  }
  EliminationOrder elimination;
  std::vector<int> order;
  with_view(ladder, [&](const GraphView& view) { elimination.reverse_cuthill_mckee(view, order); });
  std::vector<int> place(order.size());
  for (size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
  for (size_t i = 0; i < ladder.size(); ++i) {
    for (const int j : ladder[i]) EXPECT_LE(std::abs(place[i] - place[j]), 2);
  }
}

}  // namespace
}  // namespace stickslip
