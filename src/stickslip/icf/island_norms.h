#pragma once

#include <cmath>

#include "stickslip/icf/problem.h"

// Norms of an island's vectors, in the units of its masses: D = diag(A)^-1/2.
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

// |D x|: of a momentum
inline double scaled_norm(const Problem& problem, const Island& island, const VectorXd& x) {
  double sum = 0;
  for_each_node(problem, island, [&](const Node& node) { sum += scaled_square(problem, node, x); });
  return std::sqrt(sum);
}

// |D^-1 x|: of a velocity
inline double mass_norm(const Problem& problem, const Island& island, const VectorXd& x) {
  double sum = 0;
  for_each_node(problem, island, [&](const Node& node) {
    const double* A = problem.A.data() + node.A;
    for (int k = 0; k < node.size; ++k) sum += x[node.start + k] * x[node.start + k] * A[k * (node.size + 1)];
  });
  return std::sqrt(sum);
}

}  // namespace stickslip
