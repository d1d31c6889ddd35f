#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/icf/potentials/limit_row.h"

namespace stickslip {
namespace {

// Beyond the limit the speed decays within the time scale of limits: force -(m/T)(|v| - limit)+.
void add_side(const RowContext& context, int v, double sign, double limit, RowList& rows) {
  const double damping = rows.next_force_mass() / context.scales.limit;
  rows.coefficient(v, sign);
  finish_force(context, {.offset = damping * limit, .damping = damping, .lower = -kInfinity, .upper = 0}, rows);
}

}  // namespace

void add_velocity_limits(const RowContext& context, RowList& rows) {
  for (const JointInfo& joint : context.model.joints) {
    if (joint.velocity_limit == kInfinity) continue;
    for (int k = 0; k < joint.nv; ++k) {
      add_side(context, joint.v_start + k, 1, joint.velocity_limit, rows);
      add_side(context, joint.v_start + k, -1, joint.velocity_limit, rows);
    }
  }
}

}  // namespace stickslip
