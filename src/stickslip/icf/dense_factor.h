#pragma once

#include <Eigen/Cholesky>
#include <span>
#include <utility>
#include <vector>

#include "stickslip/math/block_pattern.h"
#include "stickslip/math/block_slot.h"
#include "stickslip/math/types.h"

namespace stickslip {

// One dense Cholesky factor of all blocks: the reference for the sparse one, and CENIC's Fig. 10.
class DenseFactor {
 public:
  void analyze(std::span<const int> sizes, std::span<const std::pair<int, int>> edges, Fill fill);
  void set_zero() { matrix_.setZero(); }
  BlockSlot diagonal(int node) { return slot(node, node); }
  BlockSlot off_diagonal(int edge) { return slot(edges_[edge].second, edges_[edge].first, true); }
  bool factor();
  void solve_in_place(double* x) const;

 private:
  BlockSlot slot(int row, int column, bool transposed = false) {
    const auto n = matrix_.rows();
    return {matrix_.data() + starts_[row] + starts_[column] * n, static_cast<int>(n), transposed};
  }

  std::vector<int> starts_;
  std::vector<std::pair<int, int>> edges_;
  MatrixXd matrix_;
  Eigen::LLT<MatrixXd> factor_;
};

}  // namespace stickslip
