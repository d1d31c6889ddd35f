#pragma once

#include <string>

namespace stickslip {

// Makes the HDF5 file of a journal that a killed run left; an earlier file of that name is kept as `path`.old. False if
// there is no such journal, if its run still goes on, or if nothing can be written beside it. Throws RecordingError if
// there is nothing in it.
bool recover(const std::string& path);

// Makes the HDF5 file of a journal, elsewhere. Throws RecordingError.
void convert_journal(const std::string& journal, const std::string& to);

// Gives a finished file its name. Throws RecordingError.
void make_file(const std::string& unfinished, const std::string& path);

}  // namespace stickslip
