#include "stickslip/log/recording.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "stickslip/base/file_size_signal.h"
#include "stickslip/base/temporary_folder.h"
#include "stickslip/log/csv.h"
#include "stickslip/log/journal.h"
#include "stickslip/log/recording_error.h"
#include "stickslip/log/recording_file.h"
#include "stickslip/log/recording_paths.h"
#include "stickslip/log/records.h"
#include "stickslip/log/recover.h"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

// Where nobody may write beside the journal, there is no room, or somebody still writes it, its file is made elsewhere
// for a moment.
Trajectory read_aside(const std::string& journal) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "recording.h5").string();
  try {
    convert_journal(journal, file);
  } catch (const NotWritten& error) {
    throw NotWritten(journal, fmt::format("holds a run, but no file can be made of it: {}", error.what()));
  }
  return read_recording_file(file);
}

// A run that was killed before its first block left nothing; then an earlier recording of that name is what there is.
std::optional<Trajectory> recover_if_any(const std::string& path) {
  try {
    return recover(path);
  } catch (const NotWritten&) {
    throw;
  } catch (const RecordingError&) {
    if (!fs::exists(path)) throw;
    return {};
  }
}

void write_recording_file(const Trajectory& run, const std::string& path) {
  keep_killed_run(path);
  JournalFile journal(journal_path(path));  // nobody else may make a file of that name meanwhile
  const std::string unfinished = unfinished_path(path);
  try {
    RecordingFileWriter writer(unfinished);
    hand_on(run, writer);
    writer.finish();
    give_name(unfinished, path);
  } catch (const RecordingError&) {
    std::remove(unfinished.c_str());
    journal.remove();
    throw;
  }
  journal.remove();
}

}  // namespace

Trajectory load_recording(const std::string& given) {
  const WithoutFileSizeSignal guard;
  const std::string suffix = ".journal";
  const bool is_journal = given.size() > suffix.size() && given.ends_with(suffix);
  const std::string path = is_journal ? given.substr(0, given.size() - suffix.size()) : recording_behind(given);
  if (std::string why = why_not_read_back(path); !why.empty()) throw RecordingError(path, why);
  std::optional<Trajectory> recovered;
  try {
    recovered = recover_if_any(path);
  } catch (const NotWritten&) {
    recovered.reset();  // the journal is as it was
  }
  if (recovered) return std::move(*recovered);
  const std::string journal = journal_path(path);
  if (fs::exists(journal)) {
    try {
      return read_aside(journal);
    } catch (const NotWritten&) {
      throw;  // and nobody takes the run before it for this one
    } catch (const RecordingError&) {
      if (!fs::exists(path)) throw;  // the run may just have ended
    }
  }
  return read_recording_file(path);
}

std::vector<std::string> save(const Trajectory& run, const std::string& path, Replace what) {
  const WithoutFileSizeSignal guard;
  const RunFormat format = run_format(path);
  check_replaceable(path, what);
  if (format == RunFormat::kTable) return write_csv(run, path, what);
  if (format != RunFormat::kRecording)
    throw std::invalid_argument(
        fmt::format("'{}' is not made here: save() writes .h5 (a recording) and .csv (a table), write_html() pages, "
                    "and Python logs (.mcap)",
                    path));
  write_recording_file(run, path);
  return {path};
}

}  // namespace stickslip
