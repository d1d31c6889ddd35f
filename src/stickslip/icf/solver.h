#pragma once

#include "stickslip/base/thread_pool.h"
#include "stickslip/icf/newton.h"

namespace stickslip {

// Solves all islands of a problem.
template <template <typename> class ContactLaw>
class ConvexSolver {
 public:
  Potentials<ContactLaw> potentials;

  // v: the start, and the solution. On failure `failed_island` says where. Islands are shared out among the threads of
  // `pool` (nullptr: one after the other); the result is the same to the bit.
  SolveOutcome solve(const Problem& problem, const NewtonOptions& options, VectorXd& v, ThreadPool* pool = nullptr);

  SolveStatistics statistics;
  int failed_island = -1;

 private:
  NewtonVectors vectors_;
  std::vector<IslandWorkspace<ContactLaw>> workspaces_;
  std::vector<SolveStatistics> island_statistics_;
  std::vector<SolveOutcome> outcomes_;
};

}  // namespace stickslip
