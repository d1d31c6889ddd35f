#pragma once

#include "stickslip/math/types.h"

namespace stickslip {

// The symmetric positive semidefinite part of a square matrix, in place: the nearest such matrix (Frobenius' norm) to
// its symmetric part. Works in memory of its own.
class PositivePart {
 public:
  void project(Eigen::Ref<MatrixXd> A);

 private:
  bool is_positive(const Eigen::Ref<MatrixXd>& A);
  void diagonalize(int n);

  MatrixXd D_, V_;
};

}  // namespace stickslip
