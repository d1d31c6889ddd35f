#pragma once

#include "stickslip/icf/potentials/body_row.h"

namespace stickslip {

// Three rows that hold the origins of two frames together.
void add_point_rows(const RowContext& context, const ConstraintInfo& constraint, const FramePair& frames,
                    RowList& rows);

}  // namespace stickslip
