#include "stickslip/icf/solver.h"

#include "stickslip/contact/lagged_model.h"
#include "stickslip/contact/sap_model.h"
#include "stickslip/contact/similar_model.h"

namespace stickslip {

template <template <typename> class ContactLaw>
SolveOutcome ConvexSolver<ContactLaw>::solve(const Problem& problem, const NewtonOptions& options, VectorXd& v) {
  statistics = {};
  failed_island = -1;
  vectors_.resize(v.size());
  if (workspaces_.size() < problem.islands.size()) workspaces_.resize(problem.islands.size());
  for (size_t i = 0; i < problem.islands.size(); ++i) {
    const SolveOutcome outcome = solve_island<ContactLaw>(problem, problem.islands[i], options, potentials, v,
                                                          statistics, vectors_, workspaces_[i]);
    if (outcome == SolveOutcome::kConverged) continue;
    failed_island = static_cast<int>(i);
    return outcome;
  }
  return SolveOutcome::kConverged;
}

template class ConvexSolver<LaggedModel>;
template class ConvexSolver<SimilarModel>;
template class ConvexSolver<SapModel>;

}  // namespace stickslip
