#pragma once

#include "stickslip/icf/newton.h"

namespace stickslip {

// Solves all islands of a problem.
template <template <typename> class ContactLaw>
class ConvexSolver {
 public:
  Potentials<ContactLaw> potentials;

  // v: the start, and the solution. On failure `failed_island` says where.
  SolveOutcome solve(const Problem& problem, const NewtonOptions& options, VectorXd& v);

  SolveStatistics statistics;
  int failed_island = -1;

 private:
  NewtonVectors vectors_;
  std::vector<IslandWorkspace> workspaces_;
};

}  // namespace stickslip
