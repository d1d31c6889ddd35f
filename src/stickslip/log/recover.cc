#include "stickslip/log/recover.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "stickslip/log/journal.h"
#include "stickslip/log/recording_error.h"
#include "stickslip/log/recording_file.h"
#include "stickslip/log/recording_thread.h"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

bool may_write_beside(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return ::access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

}  // namespace

void make_file(const std::string& unfinished, const std::string& path) {
  if (std::rename(unfinished.c_str(), path.c_str()) != 0)
    throw RecordingError(path, fmt::format("cannot be written: {}", std::strerror(errno)));
}

void convert_journal(const std::string& journal, const std::string& to) {
  RecordingFileWriter file(to);
  read_journal(journal, [&](std::string_view block) { return read_records(block, file); });
  file.finish();
}

bool recover(const std::string& path) {
  const std::string journal = journal_path(path), made = unfinished_path(path);
  if (!may_write_beside(path)) return false;
  const JournalLock lock(journal);
  if (!lock.held()) return false;
  try {
    convert_journal(journal, made);
    read_recording_file(made);  // the journal goes only when its file is there, and whole
    if (fs::exists(path)) make_file(path, path + ".old");
    make_file(made, path);
  } catch (const RecordingError&) {
    std::remove(made.c_str());
    throw;
  }
  std::remove(journal.c_str());
  return true;
}

}  // namespace stickslip
