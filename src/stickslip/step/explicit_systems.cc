#include "stickslip/step/explicit_systems.h"

#include "stickslip/step/implicit_systems.h"

namespace stickslip {

void ExplicitSystems::set(std::shared_ptr<const SystemList> systems) {
  evaluator_ = systems && !systems->empty() ? std::make_unique<SystemEvaluator>(std::move(systems)) : nullptr;
}

Status ExplicitSystems::add(const State& state, VectorXd& tau, VectorXd& zdot) {
  if (evaluator_) return evaluator_->evaluate(state, tau, zdot);
  zdot.setZero(state.z.size());
  return {};
}

Status ExplicitSystems::check(Status so_far, const State& last_good, const State& next) const {
  if (!so_far.ok() || !evaluator_) return so_far;
  return check_finite(evaluator_->systems(), last_good, next);
}

}  // namespace stickslip
