#include "stickslip/log/recording.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "stickslip/base/names.h"
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

// Where nobody may write beside the journal, or somebody still writes it, its file is made elsewhere for a moment.
Trajectory read_aside(const std::string& journal) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "recording.h5").string();
  convert_journal(journal, file);
  return read_recording_file(file);
}

// A run that was killed before its first block left nothing; then an earlier recording of that name is what there is.
std::optional<Trajectory> recover_if_any(const std::string& path) {
  try {
    return recover(path);
  } catch (const RecordingError&) {
    if (!fs::exists(path)) throw;
    return {};
  }
}

void write_recording_file(const Trajectory& run, const std::string& path) {
  recover_if_any(path);                     // a killed run of that name is not lost, but for its name
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
  const std::string suffix = ".journal";
  const bool is_journal = given.size() > suffix.size() && given.ends_with(suffix);
  const std::string path = is_journal ? given.substr(0, given.size() - suffix.size()) : given;
  if (std::optional<Trajectory> recovered = recover_if_any(path)) return std::move(*recovered);
  const std::string journal = journal_path(path);
  if (fs::exists(journal)) {
    try {
      return read_aside(journal);
    } catch (const RecordingError&) {
      if (!fs::exists(path)) throw;  // the run may just have ended
    }
  }
  return read_recording_file(path);
}

void save(const Trajectory& run, const std::string& path) {
  const std::string suffix = lower_extension(path);
  if (suffix == ".h5" || suffix == ".hdf5") {
    write_recording_file(run, path);
  } else if (suffix == ".csv") {
    write_csv(run, path);
  } else {
    throw std::invalid_argument(fmt::format("cannot save '{}': name it .h5 (a recording) or .csv (a table)", path));
  }
}

}  // namespace stickslip
