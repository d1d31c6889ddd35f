#pragma once

#include <memory>

#include "stickslip/systems/evaluate_systems.h"

namespace stickslip {

// External systems in methods that take all forces explicitly.
class ExplicitSystems {
 public:
  void set(std::shared_ptr<const SystemList> systems);

  // Adds the systems' forces to tau and writes z', which has the size of State::z.
  Status add(const State& state, VectorXd& tau, VectorXd& zdot);

  // `so_far` if it is a failure; else whether the systems' states are finite.
  Status check(Status so_far, const State& last_good, const State& next) const;

 private:
  std::unique_ptr<SystemEvaluator> evaluator_;  // none: nullptr
};

}  // namespace stickslip
