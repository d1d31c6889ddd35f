#pragma once

#include <optional>
#include <string>

#include "stickslip/simulate/trajectory.h"

namespace stickslip {

// Makes the HDF5 file of a journal that a killed run left, and reads it; an earlier file of that name is kept as
// `path`.old. Nothing if there is no such journal, if its run still goes on, or if nobody may write beside it. Throws
// RecordingError if there is nothing in it.
std::optional<Trajectory> recover(const std::string& path);

// The same before another run takes the name, which a journal with nothing in it does not keep from it. Throws
// RecordingError, as where something else has the journal's name, or there is no room to make the file.
void keep_killed_run(const std::string& path);

// Makes the HDF5 file of a journal, elsewhere. Throws RecordingError.
void convert_journal(const std::string& journal, const std::string& to);

}  // namespace stickslip
