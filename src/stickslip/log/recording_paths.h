#pragma once

#include <string>

namespace stickslip {

// The files of a recording while it is being made.
std::string journal_path(const std::string& path);
std::string unfinished_path(const std::string& path);

// Gives a finished file its name. Throws RecordingError.
void give_name(const std::string& unfinished, const std::string& path);

}  // namespace stickslip
