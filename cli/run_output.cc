#include "run_output.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <stdexcept>

#include "python_tool.h"
#include "viewer_page.h"

namespace stickslip::cli {
namespace {

void make_page(const std::string& recording, const std::string& path) {
  write_html(std::make_shared<const Trajectory>(load_recording(recording)), path, {.page = viewer_page()});
}

// The library for it is Python's.
void make_log(const std::string& recording, const std::string& path, Replace what) {
  std::vector<std::string> words{"-m", "stickslip", recording, path};
  if (what == Replace::kAnyFile) words.emplace_back("--force");
  const PythonOutput done = run_python(own_checkout(), words);
  if (WIFEXITED(done.status) && WEXITSTATUS(done.status) == 0) return;
  if (WIFEXITED(done.status) && WEXITSTATUS(done.status) == 1) throw NotWritten(path, "cannot be written by Python");
  throw RecordingError(path, "cannot be made by Python");
}

void check_log_library() {
  if (run_python(own_checkout(), {"-c", "import stickslip, mcap.writer"}).status == 0) return;
  throw std::invalid_argument("to write .mcap, Python needs its package: pip install 'stickslip[mcap]'");
}

}  // namespace

RecordingExport export_for(const std::string& path, Replace what) {
  switch (run_format(path)) {
    case RunFormat::kPage:
      static_cast<void>(read_page(viewer_page()));
      return make_page;
    case RunFormat::kLog:
      check_log_library();
      return [what](const std::string& recording, const std::string& to) { make_log(recording, to, what); };
    case RunFormat::kRecording:
    case RunFormat::kTable:
      break;
  }
  return {};
}

std::vector<Warning> left_in_recording(const std::string& recording, RunFormat format) {
  const char* parts = "";
  switch (format) {
    case RunFormat::kRecording:
      return {};
    case RunFormat::kTable:
      parts = "the scene, the options, the report, steps, constraint forces, and states of mocap bodies and systems";
      break;
    case RunFormat::kPage:
      parts = "the options, the report, constraint forces, and samples beyond sixty a second";
      break;
    case RunFormat::kLog:
      parts = "the scene, the options, the report, constraint forces, and states of systems";
      break;
  }
  return {{"left-in-recording", {recording, 0, 0}, fmt::format("{} are not in it: keep the recording", parts)}};
}

}  // namespace stickslip::cli
