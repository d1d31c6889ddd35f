#pragma once

#include <optional>
#include <string>

#include "stickslip/simulate/trajectory.h"

namespace stickslip {

// Makes the HDF5 file of a journal that a killed run left, and reads it; an earlier file of that name is kept as
// `path`.old. Nothing if there is no such journal, if its run still goes on, or if nobody may write beside it. Throws
// RecordingError if there is nothing in it.
std::optional<Trajectory> recover(const std::string& path);

// Makes the HDF5 file of a journal, elsewhere. Throws RecordingError.
void convert_journal(const std::string& journal, const std::string& to);

}  // namespace stickslip
