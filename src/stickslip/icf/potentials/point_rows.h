#pragma once

#include "stickslip/icf/potentials/body_row.h"

namespace stickslip {

// From A's origin to B's.
inline Vector3d point_gap(const FramePair& frames) { return frames.X_WB.position - frames.X_WA.position; }

// Three rows that hold the origins of two frames together.
void add_point_rows(const RowContext& context, const ConstraintInfo& constraint, const FramePair& frames,
                    RowList& rows);

}  // namespace stickslip
