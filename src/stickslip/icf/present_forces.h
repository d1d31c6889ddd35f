#pragma once

#include "stickslip/icf/contact_terms.h"
#include "stickslip/icf/rows.h"
#include "stickslip/model/model.h"

namespace stickslip {

// What contacts and rows apply in a state, by the laws that steps discretise; but for stiff rows, which act at the end
// of steps. Each nv, tree by tree, in the coordinates of the trees' nodes.
struct PresentForces {
  VectorXd contact;  // and limits and constraints
  VectorXd actuators;
  VectorXd damping;  // of tendons, and dry friction
  VectorXd springs;  // of tendons
};

void compute_present_forces(const Model& model, const ContactTermsList& contacts, const RowList& rows,
                            PresentForces& out);

}  // namespace stickslip
