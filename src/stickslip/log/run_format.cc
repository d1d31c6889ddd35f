#include "stickslip/log/run_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "stickslip/base/names.h"
#include "stickslip/log/csv.h"
#include "stickslip/log/hdf5_reader.h"
#include "stickslip/log/recording_error.h"
#include "stickslip/log/recording_paths.h"

namespace stickslip {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

struct Ending {
  const char* ending;
  RunFormat format;
  const char* what;
  const char* made = "";  // what such a file is
};
constexpr Ending kEndings[]{{".h5", RunFormat::kRecording, "a recording"},
                            {".hdf5", RunFormat::kRecording, "the same"},
                            {".csv", RunFormat::kTable, "a table", "a table"},
                            {".html", RunFormat::kPage, "a page that plays it", "a page"},
                            {".mcap", RunFormat::kLog, "a log for Foxglove", "a log"}};

const Ending* find_ending(const std::string& path) {
  const std::string given = lower_extension(path);
  const auto* found =
      std::find_if(std::begin(kEndings), std::end(kEndings), [&](const Ending& x) { return given == x.ending; });
  return found == std::end(kEndings) ? nullptr : found;
}

constexpr std::string_view kHdf5 = "\x89HDF\r\n\x1a\n";
constexpr std::string_view kJournal = "stickslip-journal-";
constexpr std::string_view kLog = "\x89MCAP0\r\n";
constexpr size_t kBeginning = 8u << 20;  // [bytes]: pages say what they are behind their program

// The first bytes of a plain file.
std::string beginning(const std::string& path, size_t most) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return "";
  std::ifstream file(path, std::ios::binary);
  std::string out(most, '\0');
  file.read(out.data(), static_cast<std::streamsize>(most));
  out.resize(static_cast<size_t>(file.gcount()));
  return out;
}

bool is_own_hdf5(const std::string& path) {
  try {
    const Hdf5Reader file(path);
    return file.has_attribute("format") && file.text_attribute("format") == "stickslip-recording";
  } catch (const RecordingError&) {
    return false;
  }
}

bool is_ours(const std::string& path) {
  const std::string text = beginning(path, kBeginning);
  if (text.empty()) return true;  // nothing is lost with it
  if (text.starts_with(kHdf5)) return is_own_hdf5(path);
  if (text.starts_with(kLog)) return text.substr(0, 100).find("stickslip") != std::string::npos;
  if (text.find("id=\"stickslip-scene\"") != std::string::npos) return true;
  return is_table_head(text.substr(0, text.find('\n')));
}

}  // namespace

RunFormat run_format(const std::string& path) {
  if (const Ending* found = find_ending(path)) return found->format;
  std::string known;
  for (const Ending& ending : kEndings)
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", ending.ending, ending.what);
  throw std::invalid_argument(fmt::format("a run cannot be written as '{}': name it {}", path, known));
}

bool is_recording_inside(const std::string& path) {
  const std::string text = beginning(path, kJournal.size());
  return text.starts_with(kHdf5) || text == kJournal;
}

std::string why_not_read_back(const std::string& path) {
  const Ending* ending = find_ending(path);
  if (!ending || ending->format == RunFormat::kRecording || is_recording_inside(path)) return "";
  return fmt::format(
      "is {} of a run, which cannot be read back: use the recording (.h5) that it was made of, or run the "
      "scene again with --record run.h5",
      ending->made);
}

std::string recording_for(const std::string& path) {
  const Ending* ending = find_ending(path);
  return ending && ending->format != RunFormat::kRecording ? path + ".part.h5" : path;
}

std::string recording_behind(const std::string& path) {
  const std::string recording = recording_for(path);
  std::error_code ignored;
  return fs::exists(recording, ignored) || fs::exists(journal_path(recording), ignored) ? recording : path;
}

void check_replaceable(const std::string& path, Replace what) {
  const fs::file_status status = fs::status(path);
  if (!fs::exists(status)) return;
  if (fs::is_directory(status)) throw RecordingError(path, "is a folder; name a file in it");
  if (!fs::is_regular_file(status)) throw RecordingError(path, "is a device or a pipe; name a file");
  if (what == Replace::kAnyFile || is_ours(path)) return;
  throw RecordingError(path, "exists and is no recording, nor made of one; remove it first, or give another name");
}

}  // namespace stickslip
