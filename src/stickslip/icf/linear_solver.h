#pragma once

namespace stickslip {

// Where Newton's steps come from.
enum class LinearSolver {
  kAutomatic,  // a sparse factor, or conjugate gradients for islands in which it would fill up
  kSparse,     // block-sparse Cholesky factor
  kDense,      // one dense factor: the reference, CENIC Fig. 10
  kIterative,  // conjugate gradients, preconditioned by an incomplete factor
};

}  // namespace stickslip
