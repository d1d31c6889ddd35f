#pragma once

#include "stickslip/dynamics/equations_of_motion.h"
#include "stickslip/icf/problem.h"
#include "stickslip/systems/linearize_systems.h"

namespace stickslip {

// Adds the forces -C v + d of external systems to a problem: h C to A, h d to r.        CENIC (29)
void add_feedback(const Model& model, const EquationsOfMotion& equations, const LinearSystems& systems,
                  Problem& problem);

}  // namespace stickslip
