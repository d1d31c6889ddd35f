#include "stickslip/log/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <thread>
#include <utility>

#include "stickslip/base/hash.h"
#include "stickslip/log/recording_error.h"
#include "stickslip/shapes/file_bytes.h"

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
    if (written <= 0) throw NotWritten(path, errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

// Whether the file of that name is the one that is open.
bool is_at(int file, const std::string& path) {
  struct stat open_one{}, named{};
  return ::fstat(file, &open_one) == 0 && ::stat(path.c_str(), &named) == 0 && open_one.st_ino == named.st_ino &&
         open_one.st_dev == named.st_dev;
}

}  // namespace

JournalFile::JournalFile(std::string path) : path_(std::move(path)) {
  const auto fail = [&](const std::string& message) {
    if (file_ >= 0) ::close(file_);
    throw RecordingError(path_, message);
  };
  do {  // again if somebody removed it between the two
    if (file_ >= 0) ::close(file_);
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0666);
    if (file_ < 0) fail(fmt::format("cannot be written: {}", std::strerror(errno)));
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      fail(errno == EWOULDBLOCK ? "another run is recording to it; give this one another name"
                                : fmt::format("cannot be locked: {}", std::strerror(errno)));
    }
  } while (!is_at(file_, path_));
  try {
    if (::ftruncate(file_, 0) != 0)
      throw RecordingError(path_, fmt::format("cannot be emptied: {}", std::strerror(errno)));
    write_all(file_, kMagic, path_);
  } catch (const RecordingError&) {
    remove();
    throw;
  }
}

JournalFile::~JournalFile() {
  if (file_ >= 0) ::close(file_);
}

void JournalFile::append(std::string_view block) {
  const BlockHead head{block.size(), checksum(block)};
  std::array<char, sizeof(head)> bytes{};
  std::memcpy(bytes.data(), &head, sizeof(head));
  write_all(file_, {bytes.data(), bytes.size()}, path_);
  write_all(file_, block, path_);
}

// Giving back the memory of a large file takes tens of milliseconds, for which nobody need wait.
void JournalFile::remove() {
  ::unlink(path_.c_str());
  const int file = std::exchange(file_, -1);
  try {
    std::thread([file] { ::close(file); }).detach();
  } catch (const std::system_error&) {
    ::close(file);
  }
}

JournalLock::JournalLock(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (file_ < 0 || (::flock(file_, LOCK_EX | LOCK_NB) == 0 && is_at(file_, path))) return;
  ::close(file_);
  file_ = -1;
}

JournalLock::~JournalLock() {
  if (file_ >= 0) ::close(file_);
}

bool is_being_written(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0 && !JournalLock(path).held();
}

void read_journal(const std::string& path, const std::function<bool(std::string_view block)>& take) {
  if (const std::string kind = kind_of_no_file(path); !kind.empty())
    throw RecordingError(path, fmt::format("is {}, not the journal of a recording", kind));
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw RecordingError(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  auto rest = static_cast<std::uint64_t>(file.tellg());
  file.seekg(0);
  std::string magic(std::min<size_t>(rest, kMagic.size()), '\0');
  if (!file.read(magic.data(), static_cast<std::streamsize>(magic.size())) || !kMagic.starts_with(magic))
    throw RecordingError(path, "is not the journal of a recording");
  if (magic.size() < kMagic.size()) throw NothingRecorded(path);
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
  if (!any) throw NothingRecorded(path);
}

}  // namespace stickslip
