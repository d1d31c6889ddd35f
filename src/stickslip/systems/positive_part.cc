#include "stickslip/systems/positive_part.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

constexpr int kMaxSweeps = 50;  // quadratic convergence needs fewer than ten
constexpr double kRoundOff = 1e-14;

}  // namespace

// Cholesky's factor exists: most controllers' gains, which need no eigenvalues.
bool PositivePart::is_positive(const Eigen::Ref<MatrixXd>& A) {
  const auto n = A.rows();
  D_ = A;
  for (Eigen::Index k = 0; k < n; ++k) {
    if (D_(k, k) < 0) return false;
    if (D_(k, k) <= kRoundOff * A(k, k)) {
      if (A(k, k) == 0 && D_.col(k).tail(n - k).isZero(0)) continue;  // nothing acts on it
      return false;
    }
    for (Eigen::Index j = k + 1; j < n; ++j) {
      const double factor = D_(j, k) / D_(k, k);
      for (Eigen::Index i = j; i < n; ++i) D_(i, j) -= factor * D_(i, k);
    }
  }
  return true;
}

// Jacobi's method: D becomes V' A V. Own code, since Eigen's eigenvalue solvers allocate.
void PositivePart::diagonalize(int n) {
  V_.setIdentity(n, n);
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double largest = 0;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        const double off = D_(p, q), scale = std::sqrt(std::abs(D_(p, p) * D_(q, q)));
        if (off == 0 || std::abs(off) <= std::numeric_limits<double>::epsilon() * scale) continue;
        largest = std::max(largest, std::abs(off));
        const double theta = (D_(q, q) - D_(p, p)) / (2 * off);
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(1 + theta * theta));
        const double c = 1 / std::sqrt(1 + t * t), s = t * c;
        for (int k = 0; k < n; ++k) {
          const double x = D_(k, p), y = D_(k, q);
          D_(k, p) = c * x - s * y;
          D_(k, q) = s * x + c * y;
        }
        for (int k = 0; k < n; ++k) {
          const double x = D_(p, k), y = D_(q, k);
          D_(p, k) = c * x - s * y;
          D_(q, k) = s * x + c * y;
        }
        for (int k = 0; k < n; ++k) {
          const double x = V_(k, p), y = V_(k, q);
          V_(k, p) = c * x - s * y;
          V_(k, q) = s * x + c * y;
        }
      }
    }
    if (largest <= kRoundOff * D_.diagonal().cwiseAbs().maxCoeff()) return;
  }
}

void PositivePart::project(Eigen::Ref<MatrixXd> A) {
  const int n = static_cast<int>(A.rows());
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) A(i, j) = A(j, i) = 0.5 * (A(i, j) + A(j, i));
  }
  if (is_positive(A)) return;
  D_ = A;
  diagonalize(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += std::max(0.0, D_(k, k)) * V_(i, k) * V_(j, k);
      A(i, j) = A(j, i) = sum;
    }
  }
}

}  // namespace stickslip
