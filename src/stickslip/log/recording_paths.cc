#include "stickslip/log/recording_paths.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "stickslip/log/recording_error.h"

namespace stickslip {

std::string journal_path(const std::string& path) { return path + ".journal"; }
std::string unfinished_path(const std::string& path) { return path + ".part"; }

void give_name(const std::string& unfinished, const std::string& path) {
  if (std::rename(unfinished.c_str(), path.c_str()) != 0)
    throw RecordingError(path, fmt::format("cannot be written: {}", std::strerror(errno)));
}

}  // namespace stickslip
