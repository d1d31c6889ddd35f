#pragma once

#include "stickslip/icf/problem.h"

// Visits of an island's nodes, their masses, and norms of their vectors in the units of their masses: D = diag(A)^-1/2.
namespace stickslip {

template <typename Visit>
void for_each_node(const Problem& problem, const Island& island, Visit&& visit) {
  for (int i = island.nodes.first; i < island.nodes.end(); ++i) visit(problem.nodes[i]);
}

// y = A x of the island's nodes.
inline void multiply_mass(const Problem& problem, const Island& island, const VectorXd& x, VectorXd& y) {
  for_each_node(problem, island, [&](const Node& node) {
    if (node.size == 6) {
      const Eigen::Map<const Matrix6d> A(problem.A.data() + node.A);
      y.segment<6>(node.start).noalias() = A * x.segment<6>(node.start);
    } else {
      y.segment(node.start, node.size).noalias() = problem.block(node) * x.segment(node.start, node.size);
    }
  });
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
