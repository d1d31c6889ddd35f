#pragma once

#include <string>

#include "stickslip/simulate/trajectory.h"

namespace stickslip {

// A table with a row a sample: t, q and v by the names of their joints, controls, energies. Numbers read back to the
// same bits. Throws RecordingError.
void write_csv(const Trajectory& run, const std::string& path);

}  // namespace stickslip
