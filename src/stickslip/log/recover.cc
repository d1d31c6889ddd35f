#include "stickslip/log/recover.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "stickslip/log/journal.h"
#include "stickslip/log/recording_error.h"
#include "stickslip/log/recording_file.h"
#include "stickslip/log/recording_paths.h"
#include "stickslip/log/run_format.h"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

bool may_write_beside(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return ::access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
}

}  // namespace

void convert_journal(const std::string& journal, const std::string& to) {
  RecordingFileWriter file(to);
  read_journal(journal, [&](std::string_view block) { return read_records(block, file); });
  file.finish();
}

std::optional<Trajectory> recover(const std::string& path) {
  const std::string journal = journal_path(path), made = unfinished_path(path);
  if (!may_write_beside(path)) return {};
  const JournalLock lock(journal);
  if (!lock.held()) return {};
  try {
    convert_journal(journal, made);
    Trajectory run = read_recording_file(made);  // the journal goes only when its file is there, and whole
    if (fs::exists(path)) {
      check_replaceable(path + ".old");
      give_name(path, path + ".old");
    }
    give_name(made, path);
    std::remove(journal.c_str());
    return run;
  } catch (const RecordingError&) {
    std::remove(made.c_str());
    throw;
  }
}

void keep_killed_run(const std::string& path) {
  try {
    recover(path);
  } catch (const NothingRecorded&) {
    // Its journal is written over.
  }
}

}  // namespace stickslip
