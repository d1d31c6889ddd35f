#pragma once

#include <Eigen/Core>
#include <span>
#include <utility>
#include <vector>

#include "stickslip/math/block_pattern.h"
#include "stickslip/math/block_slot.h"

namespace stickslip {

// H = L L' for a symmetric positive definite matrix H of dense blocks: one row and column of blocks for each node of a
// graph, blocks off the diagonal for its edges alone. With Fill::kNone L keeps to the blocks of H, and L L' is near H
// only (block IC(0)): a preconditioner.
//
//   cholesky.analyze(sizes, edges, Fill::kComplete);  // whenever the graph changes
//   cholesky.set_zero();
//   ... add to diagonal(node) and off_diagonal(edge) ...
//   if (cholesky.factor()) cholesky.solve_in_place(x);
//
// Results depend on arguments alone, bit by bit. Memory is kept from call to call, and grows only.
class BlockCholesky {
 public:
  // sizes: of each node's block. edges: pairs of different nodes, in any order, none twice. Does nothing if all three
  // are those of the last call, but then slots stay valid and so does their content.
  void analyze(std::span<const int> sizes, std::span<const std::pair<int, int>> edges, Fill fill);

  void set_zero();

  // The lower triangle counts; what the upper holds is ignored.
  BlockSlot diagonal(int node) { return slot(pattern_.diagonal_slots()[node]); }
  BlockSlot off_diagonal(int edge) { return slot(pattern_.off_diagonal_slots()[edge]); }

  // Overwrites H by L. False if H is not positive definite or not finite. An incomplete factor may meet a bad pivot
  // even so: it is then the factor of H + shift diag(H), with the first of growing shifts that has none, and false only
  // if H's diagonal is not positive, or not finite.
  bool factor();

  // x := H^-1 x, or (L L')^-1 x. Nodes in the caller's order.
  void solve_in_place(double* x);

  // At least (largest / smallest entry of L's diagonal)^2: a bound from below of the condition number of H, which is
  // seldom far off.
  double condition_estimate() const;

  Fill fill() const { return pattern_.fill(); }                // complete or none
  double shift() const { return shift_; }                      // of the last factor()
  double estimated_flops() const { return pattern_.flops(); }  // of factor()

 private:
  using Values = std::vector<double, Eigen::aligned_allocator<double>>;

  BlockSlot slot(const BlockPattern::Slot& at) { return {values_.data() + at.values, at.stride, at.transposed}; }
  double* tile(const BlockPattern::Panel& panel, int column) {  // on the diagonal
    return values_.data() + panel.values + column + static_cast<std::ptrdiff_t>(column) * panel.stride;
  }
  bool factor_values();
  void apply(const BlockPattern::Update& update);
  bool factor_panel(const BlockPattern::Panel& panel);
  bool factor_shifted();
  void scale_diagonal(double factor);
  void solve_forward(const BlockPattern::Panel& panel);
  void solve_backward(const BlockPattern::Panel& panel);
  template <class Function>
  void below_tile(const BlockPattern::Panel& panel, int row, int column, const Function& stretch);

  BlockPattern pattern_;
  Values values_;
  Values unshifted_;
  std::vector<double> reciprocals_;  // of L's diagonal, in the order of elimination
  std::vector<double> x_;            // in the order of elimination
  double shift_ = 0;
};

}  // namespace stickslip
