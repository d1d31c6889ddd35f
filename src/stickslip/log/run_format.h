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

// Files that are made of a recording when a run ends (a page, a table, a log) cannot be read back: a sentence that says
// so; empty for all others, and for what is a recording by content.
std::string why_not_read_back(const std::string& path);

// Where a run is recorded that is to become `path`: the same, or beside it until another format is made of it.
std::string recording_for(const std::string& path);

// The recording behind a name: what a run that was killed recorded before that could be made; else the name.
std::string recording_behind(const std::string& path);

// A run may write over what runs have written, and over nothing else: not over a scene. Where the user insists it may
// write over any plain file, and still not into a device. Throws RecordingError.
enum class Replace { kRuns, kAnyFile };
void check_replaceable(const std::string& path, Replace what = Replace::kRuns);

// Makes a file of another format of a recording that is there.
using RecordingExport = std::function<void(const std::string& recording, const std::string& path)>;

}  // namespace stickslip
