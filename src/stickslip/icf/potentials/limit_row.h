#pragma once

#include <numbers>

#include "stickslip/icf/rows.h"

namespace stickslip {

// act(constraint) of the active ones of one kind.
template <typename Act>
void for_each_constraint(const Model& model, Constraint::Kind kind, Act&& act) {
  for (const ConstraintInfo& constraint : model.constraints)
    if (constraint.description.kind == kind && constraint.description.active) act(constraint);
}

// Ends a row whose coefficients are the rate of `distance`, which must not become negative. As stiff as the mass it
// moves allows on the time scale of limits; lets go at the return speed, so that what starts outside comes back calmly.
inline void finish_limit(const RowContext& context, double distance, RowList& rows) {
  const double frequency = 2 * std::numbers::pi / context.scales.limit;
  rows.finish_limit(context.kinematics, context.mass,
                    {.distance = distance,
                     .rate = rows.pending_rate(context.state.v),
                     .stiffness = rows.next_limit_mass() * frequency * frequency,
                     .dissipation = 1 / context.scales.closing.largest,
                     .rigid = {rows.next_limit_mass(), context.scales.beta},
                     .is_stiff = context.scales.beta > 0});
}

inline void finish_force(const RowContext& context, ForceSpec spec, RowList& rows) {
  spec.speed = rows.pending_rate(context.state.v) + spec.bias;
  rows.finish_force(context.kinematics, context.mass, spec);
}

// The next row of those whose gaps measure_gaps() measures, in its order.
inline void finish_constraint(const RowContext& context, const Softness& softness, const ConstraintError& error,
                              RowList& rows) {
  ForceSpec spec = constraint_force(softness, error, rows.next_force_mass(), context.scales);
  spec.gap_index = rows.gap_count++;
  finish_force(context, spec, rows);
}

}  // namespace stickslip
