#pragma once

#include <functional>
#include <string>

namespace stickslip {

// What a run can be written as, which the ending of a name says: .h5 or .hdf5, .csv, .html, .mcap.
enum class RunFormat { kRecording, kTable, kPage, kLog };

// Throws std::invalid_argument that lists the endings for a name with another.
RunFormat run_format(const std::string& path);

// By what stands in it, whatever its name: an HDF5 file, or the journal of a recording.
bool is_recording_inside(const std::string& path);

// A run may write over what runs have written, and over nothing else: not over a scene. Where the user insists it may
// write over any plain file, and still not into a device. Throws RecordingError.
enum class Replace { kRuns, kAnyFile };
void check_replaceable(const std::string& path, Replace what = Replace::kRuns);

// Makes a file of another format of a recording that is there.
using RecordingExport = std::function<void(const std::string& recording, const std::string& path)>;

}  // namespace stickslip
