#pragma once

#include <cstdint>

#include "stickslip/math/types.h"

namespace stickslip {

constexpr int kMaxGradientSteps = 1000;

// Vectors of one island, all of the same range.
struct GradientVectors {
  Eigen::Ref<VectorXd> residual, preconditioned, conjugate, image;
};

// H p = -g until the residual, in the norm of the preconditioner's inverse, has shrunk by `forcing`. `multiply` sets
// image = H conjugate; `precondition` replaces `preconditioned` by what the preconditioner makes of it.
template <typename Multiply, typename Precondition>
void conjugate_gradients(double forcing, const Eigen::Ref<const VectorXd>& g, GradientVectors& x,
                         const Multiply& multiply, const Precondition& precondition, Eigen::Ref<VectorXd> p,
                         std::int64_t& iterations) {
  const auto apply = [&] {
    x.preconditioned = x.residual;
    precondition();
    return x.residual.dot(x.preconditioned);
  };
  x.residual = -g;
  p.setZero();
  double rz = apply();
  const double goal = forcing * forcing * rz;
  x.conjugate = x.preconditioned;
  for (int i = 0; i < kMaxGradientSteps && rz > goal; ++i) {
    multiply();
    const double alpha = rz / x.conjugate.dot(x.image);
    p += alpha * x.conjugate;
    x.residual -= alpha * x.image;
    const double next = apply();
    x.conjugate = x.preconditioned + (next / rz) * x.conjugate;
    rz = next;
    ++iterations;
  }
}

}  // namespace stickslip
