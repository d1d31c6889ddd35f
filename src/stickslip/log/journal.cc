#include "stickslip/log/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "stickslip/base/hash.h"
#include "stickslip/log/recording_error.h"

namespace stickslip {
namespace {

constexpr std::string_view kMagic = "stickslip-journal-1\n";

struct BlockHead {
  std::uint64_t size = 0;
  std::uint64_t checksum = 0;
};

std::uint64_t checksum(std::string_view block) {
  Hash hash;
  hash.add(block);
  return hash.value();
}

void write_all(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw RecordingError(path, fmt::format("cannot be written: {}", std::strerror(errno)));
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace

JournalFile::JournalFile(std::string path) : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0666);
  if (file_ < 0) throw RecordingError(path_, fmt::format("cannot be written: {}", std::strerror(errno)));
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
    ::close(file_);
    throw RecordingError(path_, "another run is recording to it; give this one another name");
  }
  if (::ftruncate(file_, 0) != 0) {
    ::close(file_);
    throw RecordingError(path_, fmt::format("cannot be emptied: {}", std::strerror(errno)));
  }
  write_all(file_, kMagic, path_);
}

JournalFile::~JournalFile() { ::close(file_); }

void JournalFile::append(std::string_view block) {
  const BlockHead head{block.size(), checksum(block)};
  std::array<char, sizeof(head)> bytes{};
  std::memcpy(bytes.data(), &head, sizeof(head));
  write_all(file_, {bytes.data(), bytes.size()}, path_);
  write_all(file_, block, path_);
}

void JournalFile::remove() { ::unlink(path_.c_str()); }

bool is_being_written(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool locked = ::flock(file, LOCK_SH | LOCK_NB) != 0;
  ::close(file);
  return locked;
}

void read_journal(const std::string& path, const std::function<bool(std::string_view block)>& take) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw RecordingError(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  auto rest = static_cast<std::uint64_t>(file.tellg());
  file.seekg(0);
  std::string magic(kMagic.size(), '\0');
  if (!file.read(magic.data(), static_cast<std::streamsize>(magic.size())) || magic != kMagic)
    throw RecordingError(path, "is not the journal of a recording");
  rest -= kMagic.size();
  std::string block;
  bool any = false;
  for (BlockHead head; rest >= sizeof(head); rest -= head.size) {
    if (!file.read(reinterpret_cast<char*>(&head), sizeof(head))) break;
    rest -= sizeof(head);
    if (head.size > rest) break;
    block.resize(head.size);
    if (!file.read(block.data(), static_cast<std::streamsize>(head.size)) || checksum(block) != head.checksum) break;
    any = true;
    if (!take(block)) return;
  }
  if (!any) throw RecordingError(path, "the run was killed before anything was recorded; run it again");
}

}  // namespace stickslip
