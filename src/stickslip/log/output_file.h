#pragma once

#include <string>
#include <string_view>

namespace stickslip {

// Makes a file of these bytes, whole or not at all: what was there stays until it is. Throws RecordingError, NotWritten
// on a full disk.
void write_output(const std::string& path, std::string_view bytes);

}  // namespace stickslip
