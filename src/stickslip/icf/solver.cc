#include "stickslip/icf/solver.h"

#include <functional>

#include "stickslip/contact/anchored_model.h"
#include "stickslip/contact/lagged_model.h"
#include "stickslip/contact/sap_model.h"
#include "stickslip/contact/similar_model.h"

namespace stickslip {

template <template <typename> class ContactLaw>
template <typename IslandOf>
SolveOutcome ConvexSolver<ContactLaw>::solve_islands(const Problem& problem, const NewtonOptions& options, size_t count,
                                                     IslandOf&& island_of, bool again, VectorXd& v, ThreadPool* pool) {
  island_statistics_.assign(count, {});
  outcomes_.resize(count);
  const auto solve_one = [&](int i) {
    const size_t island = island_of(i);
    outcomes_[i] = solve_island<ContactLaw>(problem, problem.islands[island], options, potentials, v, again,
                                            island_statistics_[i], vectors_, workspaces_[island]);
  };
  if (pool) {
    pool->run(static_cast<int>(count), std::ref(solve_one));
  } else {
    for (size_t i = 0; i < count; ++i) solve_one(static_cast<int>(i));
  }
  statistics = {};
  failed_island = -1;
  std::int64_t slowest = 0;
  for (size_t i = 0; i < count; ++i) {
    statistics.add(island_statistics_[i]);
    slowest = std::max(slowest, island_statistics_[i].newton_iterations);
    if (outcomes_[i] == SolveOutcome::kConverged || failed_island >= 0) continue;
    failed_island = static_cast<int>(island_of(static_cast<int>(i)));
    failed_ = outcomes_[i];
  }
  statistics.slowest_island_iterations = slowest;
  return failed_island < 0 ? SolveOutcome::kConverged : failed_;
}

template <template <typename> class ContactLaw>
SolveOutcome ConvexSolver<ContactLaw>::solve(const Problem& problem, const NewtonOptions& options, VectorXd& v,
                                             ThreadPool* pool) {
  const size_t count = problem.islands.size();
  vectors_.resize(v.size());
  if (workspaces_.size() < count) workspaces_.resize(count);
  return solve_islands(problem, options, count, [](int i) { return static_cast<size_t>(i); }, false, v, pool);
}

template <template <typename> class ContactLaw>
SolveOutcome ConvexSolver<ContactLaw>::solve_again(const Problem& problem, const NewtonOptions& options,
                                                   const std::vector<int>& islands, VectorXd& v, ThreadPool* pool) {
  return solve_islands(
      problem, options, islands.size(), [&](int i) { return static_cast<size_t>(islands[i]); }, true, v, pool);
}

template class ConvexSolver<LaggedModel>;
template class ConvexSolver<AnchoredModel>;
template class ConvexSolver<SimilarModel>;
template class ConvexSolver<SapModel>;

}  // namespace stickslip
