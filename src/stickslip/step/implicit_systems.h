#pragma once

#include <memory>
#include <vector>

#include "stickslip/icf/build_problem.h"
#include "stickslip/icf/step_work.h"
#include "stickslip/step/convex_method.h"
#include "stickslip/systems/linearize_systems.h"
#include "stickslip/systems/watch_systems.h"

namespace stickslip {

// External systems inside a convex step, from their evaluation to their states at its end. Nothing to do, at no cost,
// if there are none.
class ImplicitSystems {
 public:
  // What a preparation keeps.
  struct Prepared {
    std::vector<SystemTerms> terms;
    int first_row = 0;  // of the rows of degrees of freedom with effort limits, in RowList::forces
  };

  void set(std::shared_ptr<const SystemList> systems);
  bool any() const { return systems_ != nullptr; }

  SystemWatch* watch() { return watch_.get(); }  // nullptr: no system needs one

  // Asks the systems, and adds the rows of those with effort limits; their laws come with h.
  Status prepare(const State& state, const Kinematics& kinematics, const MassMatrix& mass, RowList& rows,
                 Prepared& prepared);

  Status add_to_problem(const State& start, const EquationsOfMotion& equations, const Prepared& prepared, double h,
                        Problem& problem);

  // Laws of the rows with limits.        CENIC (19)-(20)
  void set_laws(const Prepared& prepared, const Problem& problem, std::vector<ClampLaw>& laws) const;

  // The systems' states at the end of a step whose velocities are known.
  Status advance(const State& start, State& next) const;

  // Trees that the systems pushed in the last step.
  void add_activity(std::vector<TreeActivity>& activity) const;

  // Counts as actuators' work; rows with limits are counted where all rows are.
  void add_work(const State& start, const State& next, StepWork& work);

 private:
  std::shared_ptr<const SystemList> systems_;  // none: nullptr
  std::unique_ptr<SystemEvaluator> evaluator_;
  std::unique_ptr<SystemLinearizer> linearizer_;
  std::unique_ptr<SystemWatch> watch_;
  LinearSystems linear_;
  VectorXd tau_;
};

// Ok if every state of the external systems is finite; otherwise names the system.
Status check_finite(const SystemList& systems, const State& last_good, const State& next);

}  // namespace stickslip
