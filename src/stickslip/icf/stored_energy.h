#pragma once

#include <span>
#include <vector>

#include "stickslip/dynamics/tree_energy.h"
#include "stickslip/icf/contact_terms.h"
#include "stickslip/icf/rows.h"
#include "stickslip/state/grip.h"

namespace stickslip {

// Adds what holds the trees has stored [J]: overlaps, friction's springs, constraints and limits that are off. What
// acts between two trees counts for one of them; they are one island.
//
// Stiff constraints and rigid surfaces are damped within a step: hardly any of k e^2/2 comes back, but nobody knows how
// much. It counts for what they may give, and not as what is there.
void add_stored_energy(const ContactTermsList& contacts, const RowList& rows, const TimeScales& scales,
                       std::vector<TreeEnergy>& energy);

// What friction's springs held at the end of the last step.
void add_grip_energy(const Model& model, const CollisionModel& collision, std::span<const Grip> grips,
                     std::vector<TreeEnergy>& energy);

}  // namespace stickslip
