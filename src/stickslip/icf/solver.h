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

  // The same problem once more, right after it was solved, with other laws for rows of some of its islands. v: the
  // solution so far. The other islands keep theirs.
  SolveOutcome solve_again(const Problem& problem, const NewtonOptions& options, const std::vector<int>& islands,
                           VectorXd& v, ThreadPool* pool = nullptr);

  SolveStatistics statistics;
  int failed_island = -1;

 private:
  template <typename IslandOf>
  SolveOutcome solve_islands(const Problem& problem, const NewtonOptions& options, size_t count, IslandOf&& island_of,
                             bool again, VectorXd& v, ThreadPool* pool);

  NewtonVectors vectors_;
  std::vector<IslandWorkspace<ContactLaw>> workspaces_;
  std::vector<SolveStatistics> island_statistics_;
  std::vector<SolveOutcome> outcomes_;
  SolveOutcome failed_ = SolveOutcome::kConverged;  // of failed_island
};

}  // namespace stickslip
