#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stickslip/log/run_format.h"
#include "stickslip/simulate/trajectory.h"

namespace stickslip {

// Writes a table with a row a sample: time, q, v, controls and energies, each number as the shortest decimal that reads
// back as the same double; and, where bodies touched, one with a row a contact beside it. Returns the names of the
// files. Throws RecordingError, also where the second would write over what is not to be replaced.
std::vector<std::string> write_csv(const Trajectory& run, const std::string& path, Replace what = Replace::kRuns);

// "run_contacts.csv", of run.csv.
std::string contacts_path(const std::string& path);

// Whether a line is the first of such a table.
bool is_table_head(std::string_view line);

}  // namespace stickslip
