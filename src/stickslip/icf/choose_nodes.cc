#include "stickslip/icf/choose_nodes.h"

#include <algorithm>

#include "stickslip/icf/island_norms.h"

namespace stickslip {
namespace {

// "A few", as parts of all: without and with what they touch. More would cost as much as all together.
constexpr double kFew = 0.2, kFewWithNeighbours = 0.3;

}  // namespace

bool choose_nodes(const Problem& problem, const Island& island, const VectorXd& g, double rest, NodeChoice& choice) {
  const int count = island.nodes.count;
  double left = 0;
  choice.shares.clear();
  for (int i = 0; i < count; ++i) {
    const double share = scaled_square(problem, problem.nodes[island.nodes.first + i], g);
    choice.shares.emplace_back(share, i);
    left += share;
  }
  const double goal = rest * rest * left;
  choice.is_chosen.assign(static_cast<size_t>(count), 0);
  std::make_heap(choice.shares.begin(), choice.shares.end());
  auto end = choice.shares.end();
  for (int few = static_cast<int>(kFew * count); left > goal; --few) {
    if (few == 0) return false;
    std::pop_heap(choice.shares.begin(), end);
    --end;
    left -= end->first;
    choice.is_chosen[end->second] = 1;
  }
  choice.is_near = choice.is_chosen;
  for (int i = island.edges.first; i < island.edges.end(); ++i) {
    const auto [a, b] = problem.edges[i];
    if (choice.is_chosen[a]) choice.is_near[b] = 1;
    if (choice.is_chosen[b]) choice.is_near[a] = 1;
  }
  choice.is_chosen = choice.is_near;
  const auto chosen = std::count(choice.is_chosen.begin(), choice.is_chosen.end(), 1);
  return static_cast<double>(chosen) <= kFewWithNeighbours * count;
}

}  // namespace stickslip
