#include "stickslip/shapes/file_bytes.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace stickslip {

std::string read_file_bytes(const std::string& file, const Location& from, std::size_t largest) {
  std::error_code problem;
  // A folder or a pipe opens as well, and then has no size.
  const bool regular = std::filesystem::is_regular_file(file, problem);
  const std::uintmax_t size = regular ? std::filesystem::file_size(file, problem) : 0;
  std::ifstream stream(file, std::ios::binary);
  if (!regular || problem || !stream) {
    throw ModelError("no-such-file", from, "cannot open this file", file, "check the path and its permissions");
  }
  if (size > largest) {
    throw ModelError("file-too-large", from, fmt::format("larger than {} bytes", largest), file);
  }
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (!stream.read(bytes.data(), static_cast<std::streamsize>(size))) {
    throw ModelError("no-such-file", from, "cannot read this file", file, "check the path and its permissions");
  }
  return bytes;
}

}  // namespace stickslip
