#include "stickslip/shapes/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace stickslip {
namespace {

std::string kind(mode_t mode) {
  if (S_ISREG(mode)) return "";
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  return S_ISSOCK(mode) ? "a socket" : "a device";
}

[[noreturn]] void refuse(const std::string& file, const Location& from, const char* message) {
  throw ModelError("no-such-file", from, message, file, "check the path and its permissions");
}

[[noreturn]] void refuse_kind(const std::string& file, const Location& from, const std::string& kind) {
  if (kind == "a folder") throw ModelError("no-such-file", from, "this is a folder", file, "name a file in it");
  throw ModelError("not-a-file", from, fmt::format("this is {}, not a file", kind), file,
                   "write what comes out of it to a file first, and name that; in Python, ss.from_string takes text");
}

// An open file, closed at the end.
struct Descriptor {
  int number;
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace

std::string kind_of_no_file(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 ? kind(status.st_mode) : "";
}

std::string read_file_bytes(const std::string& file, const Location& from, std::size_t largest) {
  // The system would open what is named before the zero, whatever extension stands behind it.
  if (file.find('\0') != std::string::npos) refuse(file, from, "a file's name has no byte of zero");
  // Looked at before it is opened, since that alone makes some devices act; without waiting for a writer, and looked at
  // again, since a pipe may have taken its place.
  if (const std::string other = kind_of_no_file(file); !other.empty()) refuse_kind(file, from, other);
  const Descriptor opened(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  struct stat status{};
  if (opened.number < 0 || ::fstat(opened.number, &status) != 0) refuse(file, from, "cannot open this file");
  if (!S_ISREG(status.st_mode)) refuse_kind(file, from, kind(status.st_mode));
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > largest) throw ModelError("file-too-large", from, fmt::format("larger than {} bytes", largest), file);
  std::string bytes(size, '\0');
  for (std::size_t have = 0; have < size;) {
    const ssize_t got = ::read(opened.number, bytes.data() + have, size - have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) refuse(file, from, "cannot read this file");
    have += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace stickslip
