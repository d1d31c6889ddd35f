#include "stickslip/log/recording.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "stickslip/log/csv.h"
#include "stickslip/log/journal.h"
#include "stickslip/log/recording_error.h"
#include "stickslip/log/recording_file.h"
#include "stickslip/log/recording_thread.h"
#include "stickslip/log/recover.h"
#include "stickslip/log/report_json.h"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

// Where nobody may write beside the journal, or somebody still writes it, its file is made elsewhere for a moment.
Trajectory read_aside(const std::string& journal) {
  std::string folder = (fs::temp_directory_path() / "stickslip-XXXXXX").string();
  if (!mkdtemp(folder.data())) throw RecordingError(journal, "cannot be read: there is no folder for temporary files");
  const std::string file = folder + "/recording.h5";
  const auto clean = [&] {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  };
  try {
    convert_journal(journal, file);
    Trajectory out = read_recording_file(file);
    clean();
    return out;
  } catch (...) {
    clean();
    throw;
  }
}

// A run that was killed before its first block left nothing; then an earlier recording of that name is what there is.
void recover_if_any(const std::string& path) {
  try {
    recover(path);
  } catch (const RecordingError&) {
    if (!fs::exists(path)) throw;
  }
}

// A finished run piece by piece, as if it were happening.
void hand_on(const Trajectory& run, RecordSink& sink) {
  sink.begin(header_of(run));
  Sample sample;
  const Model& model = *run.model;
  const auto row = [](const std::vector<double>& rows, size_t i, Eigen::Index width, VectorXd& to) {
    to = Eigen::Map<const VectorXd>(rows.data() + static_cast<Eigen::Index>(i) * width, width);
  };
  for (size_t i = 0; i < run.t.size(); ++i) {
    sample.t = run.t[i];
    row(run.q, i, model.nq, sample.q);
    row(run.v, i, model.nv, sample.v);
    row(run.ctrl, i, model.nu, sample.ctrl);
    row(run.z, i, run.start.z.size(), sample.z);
    row(run.mocap, i, model.mocap0.size(), sample.mocap);
    row(run.constraint_forces, i, has_constraint_forces(model) ? model.nv : 0, sample.constraint_forces);
    sample.contacts.assign(run.contacts.begin() + run.contact_start[i],
                           run.contacts.begin() + run.contact_start[i + 1]);
    sample.friction_energy = run.friction_energy[i];
    sink.add(sample);
  }
  for (const StepEntry& step : run.steps) sink.add(step);
  for (const Trajectory::Write& write : run.writes) sink.add_write(write.step, write.state);
  if (run.complete) sink.end(run.end, report_to_text(run.report));
}

std::string suffix_of(const std::string& path) {
  std::string suffix = fs::path(path).extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](unsigned char c) { return std::tolower(c); });
  return suffix;
}

void write_recording_file(const Trajectory& run, const std::string& path) {
  if (fs::exists(journal_path(path)) && is_being_written(journal_path(path)))
    throw RecordingError(path, "a run is recording to it; give another name");
  recover_if_any(path);  // a killed run of that name is not lost, but for its name
  std::string unfinished = path + ".XXXXXX";
  const int file = mkstemp(unfinished.data());
  if (file < 0) throw RecordingError(path, fmt::format("cannot be written: {}", std::strerror(errno)));
  ::close(file);
  try {
    RecordingFileWriter writer(unfinished);
    hand_on(run, writer);
    writer.finish();
    ::chmod(unfinished.c_str(), 0644);
    make_file(unfinished, path);
  } catch (const RecordingError&) {
    std::remove(unfinished.c_str());
    throw;
  }
}

}  // namespace

Trajectory load_recording(const std::string& given) {
  const std::string suffix = ".journal";
  const bool is_journal = given.size() > suffix.size() && given.ends_with(suffix);
  const std::string path = is_journal ? given.substr(0, given.size() - suffix.size()) : given;
  recover_if_any(path);
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
  const std::string suffix = suffix_of(path);
  if (suffix == ".h5" || suffix == ".hdf5") {
    write_recording_file(run, path);
  } else if (suffix == ".csv") {
    write_csv(run, path);
  } else {
    throw std::invalid_argument(fmt::format("cannot save '{}': name it .h5 (a recording) or .csv (a table)", path));
  }
}

}  // namespace stickslip
