#pragma once

#include "stickslip/icf/rows.h"

namespace stickslip {

double tendon_length(const TendonInfo& tendon, const State& state);

// Adds scale times the rate of the tendon's length to the pending row.
void add_tendon_coefficients(const TendonInfo& tendon, double scale, RowList& rows);

}  // namespace stickslip
