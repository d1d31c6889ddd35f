#include "stickslip/log/recording.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "stickslip/log/csv.h"
#include "stickslip/log/journal.h"
#include "stickslip/log/recording_error.h"
#include "stickslip/log/recording_file.h"
#include "stickslip/log/recording_thread.h"
#include "stickslip/log/report_json.h"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

void make_file(const std::string& unfinished, const std::string& path) {
  if (std::rename(unfinished.c_str(), path.c_str()) != 0)
    throw RecordingError(path, fmt::format("cannot be written: {}", std::strerror(errno)));
}

// Makes the HDF5 file of a journal.
void convert(const std::string& journal, const std::string& to) {
  RecordingFileWriter file(to);
  bool begun = false;
  read_journal(journal, [&](std::string_view block) {
    begun = true;
    return read_records(block, file);
  });
  if (begun) file.finish();
}

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
    convert(journal, file);
    Trajectory out = read_recording_file(file);
    clean();
    return out;
  } catch (...) {
    clean();
    throw;
  }
}

bool may_write(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  return ::access(folder.empty() ? "." : folder.c_str(), W_OK) == 0;
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
  if (run.complete) sink.end(run.end, to_json(run.report).dump());
}

std::string suffix_of(const std::string& path) { return fs::path(path).extension().string(); }

}  // namespace

Trajectory load_recording(const std::string& path) {
  const std::string journal = journal_path(path);
  if (!fs::exists(journal)) return read_recording_file(path);
  if (is_being_written(journal) || !may_write(path)) return read_aside(journal);
  convert(journal, unfinished_path(path));
  make_file(unfinished_path(path), path);
  std::error_code ignored;
  fs::remove(journal, ignored);
  return read_recording_file(path);
}

namespace {

void write_recording_file(const Trajectory& run, const std::string& path) {
  RecordingFileWriter file(unfinished_path(path));
  hand_on(run, file);
  file.finish();
  make_file(unfinished_path(path), path);
}

}  // namespace

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
