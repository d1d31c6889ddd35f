#include "stickslip/icf/solver.h"

#include <functional>

#include "stickslip/contact/anchored_model.h"
#include "stickslip/contact/lagged_model.h"
#include "stickslip/contact/sap_model.h"
#include "stickslip/contact/similar_model.h"

namespace stickslip {

template <template <typename> class ContactLaw>
SolveOutcome ConvexSolver<ContactLaw>::solve(const Problem& problem, const NewtonOptions& options, VectorXd& v,
                                             ThreadPool* pool) {
  const size_t count = problem.islands.size();
  vectors_.resize(v.size());
  if (workspaces_.size() < count) workspaces_.resize(count);
  island_statistics_.assign(count, {});
  outcomes_.resize(count);
  const auto solve_one = [&](int i) {
    outcomes_[i] = solve_island<ContactLaw>(problem, problem.islands[i], options, potentials, v, island_statistics_[i],
                                            vectors_, workspaces_[i]);
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
    if (outcomes_[i] != SolveOutcome::kConverged && failed_island < 0) failed_island = static_cast<int>(i);
  }
  statistics.slowest_island_iterations = slowest;
  return failed_island < 0 ? SolveOutcome::kConverged : outcomes_[failed_island];
}

template class ConvexSolver<LaggedModel>;
template class ConvexSolver<AnchoredModel>;
template class ConvexSolver<SimilarModel>;
template class ConvexSolver<SapModel>;

}  // namespace stickslip
