#pragma once

#include <string>
#include <vector>

#include "stickslip/stickslip.h"

namespace stickslip::cli {

// How a recording becomes what the name's ending says; none for a recording. What it needs is looked for at once, not
// at the end of a long run. Throws if it is not there.
RecordingExport export_for(const std::string& path, Replace what = Replace::kRuns);

// What a recording holds and the other format does not.
std::vector<Warning> left_in_recording(const std::string& recording, RunFormat format);

}  // namespace stickslip::cli
