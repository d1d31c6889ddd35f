#pragma once

#include "stickslip/icf/problem.h"

// Visits of an island's nodes, and norms of their vectors in the units of their masses: D = diag(A)^-1/2.
namespace stickslip {

template <typename Visit>
void for_each_node(const Problem& problem, const Island& island, Visit&& visit) {
  for (int i = island.nodes.first; i < island.nodes.end(); ++i) visit(problem.nodes[i]);
}

// |D x|^2 of one node.
inline double scaled_square(const Problem& problem, const Node& node, const VectorXd& x) {
  const double* A = problem.A.data() + node.A;
  double sum = 0;
  for (int k = 0; k < node.size; ++k) {
    const double value = x[node.start + k];
    sum += value * value / A[k * (node.size + 1)];
  }
  return sum;
}

}  // namespace stickslip
