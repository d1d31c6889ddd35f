#pragma once

#include <utility>
#include <vector>

#include "stickslip/icf/problem.h"

namespace stickslip {

// Its memory, and its result.
struct NodeChoice {
  std::vector<char> is_chosen;  // of each node of the island, counted within it
  std::vector<char> is_near;
  std::vector<std::pair<double, int>> shares;  // of the nodes in the residual, as a heap
};

// Whether the residual g of a large island is that of a few nodes: all but `rest` of |D g|. Chooses these, and all that
// they touch, which gives way.
bool choose_nodes(const Problem& problem, const Island& island, const VectorXd& g, double rest, NodeChoice& choice);

}  // namespace stickslip
