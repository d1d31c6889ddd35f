#include "stickslip/log/output_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "stickslip/base/file_size_signal.h"
#include "stickslip/log/recording_error.h"
#include "stickslip/log/recording_paths.h"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

// Where a link leads; a name that is taken by nothing is itself.
std::string resolved(const std::string& path) {
  std::error_code error;
  const fs::path out = fs::canonical(path, error);
  return error ? path : out.string();
}

bool write_all(std::FILE* file, std::string_view bytes) {
  return std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0;
}

}  // namespace

void write_output(const std::string& given, std::string_view bytes) {
  const WithoutFileSizeSignal guard;
  const std::string path = resolved(given), unfinished = unfinished_path(path);
  errno = 0;
  std::FILE* file = std::fopen(unfinished.c_str(), "wb");
  if (!file)
    throw RecordingError(given, fmt::format("cannot be written: {}; does its folder exist?", std::strerror(errno)));
  const bool is_written = write_all(file, bytes);
  const int error = errno;
  if (std::fclose(file) == 0 && is_written) return give_name(unfinished, path);
  const int last_error = is_written ? errno : error;
  std::remove(unfinished.c_str());
  throw NotWritten(given, last_error);
}

}  // namespace stickslip
