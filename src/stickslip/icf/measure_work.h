#pragma once

#include "stickslip/icf/potential_families.h"
#include "stickslip/icf/present_forces.h"
#include "stickslip/icf/rows.h"
#include "stickslip/icf/step_work.h"
#include "stickslip/model/model.h"

namespace stickslip {

// A step that has been solved.
struct SolvedStep {
  const Model& model;
  const Problem& problem;
  const RowList& rows;
  const VectorXd& force;                    // explicit forces, nv
  const VectorXd &start, &end;              // velocities in the problem's order
  const VectorXd &state_start, &state_end;  // the same in the order of State::v
};

// Work of each kind of force over the step. With v the mean of the velocities at both ends, M (v1 - v0) . v is the
// change of kinetic energy in the configuration of the start, and f . v the work of a force.
template <template <typename> class ContactLaw>
StepWork measure_work(const SolvedStep& step, const Potentials<ContactLaw>& potentials);

// The same for the trapezoid rule: half of each kind's forces at the start, and the halved laws at the end.
template <template <typename> class ContactLaw>
StepWork measure_trapezoid_work(const SolvedStep& step, const PresentForces& start,
                                const Potentials<ContactLaw>& potentials);

}  // namespace stickslip
