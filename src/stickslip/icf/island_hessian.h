#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "stickslip/base/stopwatch.h"
#include "stickslip/icf/block_assembly.h"
#include "stickslip/icf/dense_factor.h"
#include "stickslip/icf/island_norms.h"
#include "stickslip/icf/linear_solver.h"
#include "stickslip/icf/potential_families.h"
#include "stickslip/icf/solve_statistics.h"
#include "stickslip/math/block_cholesky.h"

namespace stickslip {

struct HessianWorkspace {
  std::vector<int> sizes;  // of the island's nodes
  BlockAssembly assembly;
  BlockCholesky sparse;
  DenseFactor dense;
  // Of the last solve: what it used, and whether it left a factor of H.
  LinearSolver linear_solver = LinearSolver::kAutomatic;
  bool is_complete = false;
  double stiffness_ratio = 1;
};

// H of an island's problem where its potentials are: assembled, factorised and solved with.
template <template <typename> class ContactLaw>
class IslandHessian {
 public:
  // `inverse_diagonal` is that of A, of all nodes, when it comes to factors.
  IslandHessian(const Problem& problem, const Island& island, Potentials<ContactLaw>& potentials,
                const VectorXd& inverse_diagonal, LinearSolver linear_solver, HessianWorkspace& workspace)
      : problem_(problem),
        island_(island),
        potentials_(potentials),
        inverse_diagonal_(inverse_diagonal),
        linear_solver_(linear_solver),
        workspace_(workspace) {}

  // Takes over the factor that the last solve of the same problem left; false if it left none.
  bool recall() {
    if (!workspace_.is_complete) return false;
    linear_solver_ = workspace_.linear_solver;
    stiffness_ratio_ = workspace_.stiffness_ratio;
    analyzed_ = true;
    return !is_iterative();
  }

  void forget() { workspace_.is_complete = false; }

  // Round-off can make the Hessian of extreme stiffnesses indefinite: then a little more on its diagonal, which leaves
  // a direction of descent. `caution`: see LaggedModel::hessian.
  bool factor(double caution, Stopwatch& watch, SolveStatistics& statistics) {
    if (!analyzed_) analyze();
    for_each_potential(potentials_, [&](auto& p) { p.compute_hessian(problem_, island_, caution); });
    for (double shift : {0.0, 1e-13, 1e-11, 1e-9, 1e-6, 1e-3}) {
      with_factor([](auto& factor) { factor.set_zero(); });
      add_mass();
      for_each_potential(potentials_, [&](auto& p) { p.add_hessian(problem_, island_, workspace_.assembly); });
      if (shift == 0) measure_stiffness();
      if (shift > 0) scale_diagonal(1 + shift);
      watch.lap(statistics.assembly_seconds);
      if (with_factor([](auto& factor) { return factor.factor(); })) return remember();
      watch.lap(statistics.factorization_seconds);
    }
    return false;
  }

  // A alone, for what nothing acts on.
  bool factor_mass() {
    if (!analyzed_) analyze();
    with_factor([](auto& factor) { factor.set_zero(); });
    add_mass();
    return with_factor([](auto& factor) { return factor.factor(); });
  }

  // x = H^-1 x, of the island's part of a vector; an approximation of it if it is iterative.
  void solve_in_place(double* x) {
    with_factor([&](auto& factor) { factor.solve_in_place(x); });
  }

  // y = H x, of vectors over all nodes.
  void multiply(const VectorXd& x, VectorXd& y) {
    multiply_mass(problem_, island_, x, y);
    for_each_potential(potentials_, [&](auto& p) { p.add_product(problem_, island_, x.data(), y.data()); });
  }

  // What is factorised is a preconditioner. Known from the first factor on.
  bool is_iterative() const { return linear_solver_ == LinearSolver::kIterative; }
  bool is_sparse() const { return linear_solver_ == LinearSolver::kSparse; }
  double stiffness_ratio() const { return stiffness_ratio_; }  // the largest diagonal entry of H relative to that of A
  double condition_estimate() const { return workspace_.sparse.condition_estimate(); }  // if it is sparse
  double estimated_flops() const { return workspace_.sparse.estimated_flops(); }

 private:
  bool remember() {
    workspace_.linear_solver = linear_solver_;
    workspace_.stiffness_ratio = stiffness_ratio_;
    workspace_.is_complete = true;
    return true;
  }

  // Calls act(factor) with the factor in use.
  template <typename Act>
  auto with_factor(Act&& act) {
    return linear_solver_ == LinearSolver::kDense ? act(workspace_.dense) : act(workspace_.sparse);
  }

  void analyze() {
    workspace_.sizes.clear();
    for_each_node(problem_, island_, [&](const Node& node) { workspace_.sizes.push_back(node.size); });
    const std::span edges(problem_.edges.data() + island_.edges.first, static_cast<size_t>(island_.edges.count));
    BlockAssembly& blocks = workspace_.assembly;
    blocks.diagonal.resize(workspace_.sizes.size());
    blocks.off_diagonal.resize(edges.size());
    with_factor([&](auto& factor) {
      factor.analyze(workspace_.sizes, edges, fill());
      for (size_t i = 0; i < blocks.diagonal.size(); ++i) blocks.diagonal[i] = factor.diagonal(static_cast<int>(i));
      for (size_t i = 0; i < edges.size(); ++i) blocks.off_diagonal[i] = factor.off_diagonal(static_cast<int>(i));
    });
    if (linear_solver_ == LinearSolver::kAutomatic)
      linear_solver_ = workspace_.sparse.fill() == Fill::kNone ? LinearSolver::kIterative : LinearSolver::kSparse;
    analyzed_ = true;
  }

  Fill fill() const {
    return linear_solver_ == LinearSolver::kAutomatic   ? Fill::kAutomatic
           : linear_solver_ == LinearSolver::kIterative ? Fill::kNone
                                                        : Fill::kComplete;
  }

  // visit(node, its diagonal block of H).
  template <typename Visit>
  void for_each_block(Visit&& visit) {
    for (int i = 0; i < island_.nodes.count; ++i)
      visit(problem_.nodes[island_.nodes.first + i], workspace_.assembly.diagonal[static_cast<size_t>(i)]);
  }

  void add_mass() {
    for_each_block([&](const Node& node, const BlockSlot& slot) {
      const double* A = problem_.A.data() + node.A;
      if (node.size == 6) {
        for (int c = 0; c < 6; ++c)
          Eigen::Map<Vector6d>(slot.data + c * slot.stride) += Eigen::Map<const Vector6d>(A + 6 * c);
        return;
      }
      for (int c = 0; c < node.size; ++c)
        for (int r = 0; r < node.size; ++r) slot.data[r + c * slot.stride] += A[r + c * node.size];
    });
  }

  void measure_stiffness() {
    double most = 1;
    for_each_block([&](const Node& node, const BlockSlot& slot) {
      const double* inverse = inverse_diagonal_.data() + node.start;
      for (int k = 0; k < node.size; ++k) most = std::max(most, slot.data[k * (slot.stride + 1)] * inverse[k]);
    });
    stiffness_ratio_ = most;
  }

  void scale_diagonal(double factor) {
    for_each_block([&](const Node& node, const BlockSlot& slot) {
      for (int k = 0; k < node.size; ++k) slot.data[k * (slot.stride + 1)] *= factor;
    });
  }

  const Problem& problem_;
  const Island& island_;
  Potentials<ContactLaw>& potentials_;
  const VectorXd& inverse_diagonal_;
  LinearSolver linear_solver_;
  HessianWorkspace& workspace_;
  bool analyzed_ = false;
  double stiffness_ratio_ = 1;
};

}  // namespace stickslip
