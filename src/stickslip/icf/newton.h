#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "stickslip/icf/choose_nodes.h"
#include "stickslip/icf/island_hessian.h"
#include "stickslip/icf/line_search.h"
#include "stickslip/icf/linear_solver.h"
#include "stickslip/icf/local_problem.h"
#include "stickslip/icf/potential_families.h"
#include "stickslip/icf/problem.h"
#include "stickslip/icf/solve_statistics.h"

namespace stickslip {

struct NewtonOptions {
  double tolerance = 1e-5;  // eps_tol: of the momentum's balance, relative to the step's impulses
  // As published: relative to the momentum of what moves, and ended by how near the solution is as well, where a
  // residual of stiff contacts would go on: CENIC (32)-(33), of each island. For fixed steps, and where bodies rest,
  // too loose.
  bool published_stopping = false;
  int max_iterations = 1000;
  LinearSolver linear_solver = LinearSolver::kAutomatic;
  bool consistent_friction = false;  // lagged models: friction of the step's own normal impulse
  // Of one iteration in the next, where that looks good enough; none: factors that cost more than an iteration.
  std::optional<bool> reuse_factors = {};
  bool contact_space = true;  // of the line search; false: for comparison
  bool local_solves = true;   // of the parts of large islands that are far from their solution
  LineSearchStart line_search_start = LineSearchStart::kCubic;
};

template <template <typename> class ContactLaw>
struct LocalWorkspace;

// Memory of one island's solve; its content never changes a result.
template <template <typename> class ContactLaw>
struct IslandWorkspace {
  HessianWorkspace hessian;
  std::unique_ptr<LocalWorkspace<ContactLaw>> local;  // of islands that needed it
};

// Vectors over all nodes; islands use disjoint ranges, so that they can be solved side by side.
struct NewtonVectors {
  VectorXd gradient, direction, momentum, product;      // g, p, A v, A p
  VectorXd residual, preconditioned, conjugate, image;  // of conjugate gradients
  VectorXd plain;                                       // solution with friction as lagged
  VectorXd diagonal, inverse_diagonal;                  // of A: momenta and velocities of all units become comparable

  void resize(Eigen::Index size) {
    for (VectorXd* x : {&gradient, &direction, &momentum, &product, &residual, &preconditioned, &conjugate, &image,
                        &plain, &diagonal, &inverse_diagonal})
      x->resize(size);
  }
  void grow(Eigen::Index size) {  // longer is no harm: islands know their ranges
    if (gradient.size() < size) resize(size);
  }
};

// Memory of solves of a few of an island's nodes.
template <template <typename> class ContactLaw>
struct LocalWorkspace {
  NodeChoice choice;
  LocalProblem<ContactLaw> part;
  NewtonVectors vectors;
  std::vector<IslandWorkspace<ContactLaw>> islands;
};

// Minimises the problem over the velocities of one island, from the start in v. `again`: it was just solved, with the
// same workspace, and only laws of rows are others since then.
template <template <typename> class ContactLaw>
SolveOutcome solve_island(const Problem& problem, const Island& island, const NewtonOptions& options,
                          Potentials<ContactLaw>& potentials, VectorXd& v, bool again, SolveStatistics& statistics,
                          NewtonVectors& vectors, IslandWorkspace<ContactLaw>& workspace);

}  // namespace stickslip
