#pragma once

#include <string>
#include <vector>

#include "stickslip/log/run_format.h"
#include "stickslip/simulate/trajectory.h"

namespace stickslip {

// Reads a recording, from its HDF5 file or, where the run was killed, from its journal, of which the file is made then.
// The name of a page, table or log finds what a killed run recorded for it.
// A run that is still going gives what it recorded so far. Throws RecordingError.
Trajectory load_recording(const std::string& path);

// Writes a run as it would have been recorded (.h5), or as tables of its samples and contacts (.csv), over what runs
// have written and nothing else; returns the files. Pages are for write_html(), logs for Python. Throws RecordingError,
// and std::invalid_argument for another ending.
std::vector<std::string> save(const Trajectory& run, const std::string& path, Replace what = Replace::kRuns);

struct Verification {
  bool ok = false;
  std::int64_t steps = 0;                        // that were compared
  std::optional<std::int64_t> first_difference;  // index of a step
  std::string message;
};

// Runs it again and compares every step. External systems are not in a recording: give them again.
Verification verify(const Trajectory& run, const std::vector<std::shared_ptr<const System>>& systems = {});

}  // namespace stickslip
