#pragma once

#include "stickslip/icf/contact_terms.h"
#include "stickslip/icf/rows.h"
#include "stickslip/model/model.h"

namespace stickslip {

// What contacts and rows apply in a state, by the laws that steps discretise, as far as they act at the start of a step
// of the trapezoid rule: stiff rows do not, stiff contacts less than others. Each nv, tree by tree, in the coordinates
// of the trees' nodes.
struct PresentForces {
  VectorXd contact;  // and limits and constraints
  VectorXd actuators;
  VectorXd damping;  // of tendons, and dry friction
  VectorXd springs;  // of tendons
};

// `end_rows`: the same rows where the step ends. They tell each row's share of the end, and so what is left for the
// start: a servo that runs into its limit is soft there.
void compute_present_forces(const Model& model, const ContactTermsList& contacts, const RowList& rows,
                            const RowList& end_rows, double h, PresentForces& out);

}  // namespace stickslip
