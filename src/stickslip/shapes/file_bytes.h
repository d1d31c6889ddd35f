#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include "stickslip/base/error.h"

namespace stickslip {

// The whole file. Throws ModelError "no-such-file", "not-a-file" or "file-too-large", located at `from`, the place that
// names it. Only of regular files: a pipe is waited for until somebody writes to it, and a device may have no end.
std::string read_file_bytes(const std::string& file, const Location& from = {}, std::size_t largest = 256u << 20);

// What stands at this path instead of a file: "a folder", "a pipe", "a device", "a socket"; empty for files, for links
// to them, and where nothing is.
std::string kind_of_no_file(const std::string& path);

// A number stored in the bytes at `offset`, little-endian as every machine we build for. The caller checks the bounds.
template <typename T>
T read_value(std::string_view bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

}  // namespace stickslip
