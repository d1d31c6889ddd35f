#include "stickslip/icf/dense_factor.h"

namespace stickslip {

void DenseFactor::analyze(std::span<const int> sizes, std::span<const std::pair<int, int>> edges, Fill /*fill*/) {
  starts_.clear();
  int n = 0;
  for (int size : sizes) {
    starts_.push_back(n);
    n += size;
  }
  edges_.assign(edges.begin(), edges.end());
  matrix_.resize(n, n);
}

bool DenseFactor::factor() {
  factor_.compute(matrix_);  // reads the lower triangle
  return factor_.info() == Eigen::Success && factor_.matrixLLT().allFinite();
}

void DenseFactor::solve_in_place(double* x) const {
  Eigen::Map<VectorXd> b(x, matrix_.rows());
  factor_.solveInPlace(b);
}

}  // namespace stickslip
