#include "stickslip/log/recorder.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "stickslip/base/file_size_signal.h"
#include "stickslip/log/csv.h"
#include "stickslip/log/recording.h"
#include "stickslip/log/recording_error.h"
#include "stickslip/log/recording_paths.h"
#include "stickslip/log/recording_thread.h"
#include "stickslip/log/recover.h"
#include "stickslip/log/report_json.h"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

void check_place(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  if (!fs::is_directory(folder))
    throw RecordingError(path, fmt::format("there is no folder '{}'; make it first", folder.string()));
  check_replaceable(path);
  if (run_format(path) == RunFormat::kTable) check_replaceable(contacts_path(path));
}

RecordingExport chosen_export(const std::string& path, RecordingExport make) {
  const RunFormat format = run_format(path);
  if (make || format == RunFormat::kRecording) return make;
  if (format == RunFormat::kTable)
    return [](const std::string& recording, const std::string& to) { save(load_recording(recording), to); };
  throw std::invalid_argument(
      fmt::format("'{}' needs somebody who makes it of a recording; record to .h5, and make it of that", path));
}

void check_unfinished(const std::string& path) {
  const fs::file_status status = fs::symlink_status(path);
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw RecordingError(path, "is in the way of a recording, and no plain file; remove it first");
}

}  // namespace

class Recorder::CountingSink final : public SampleSink {
 public:
  explicit CountingSink(SampleSink& to) : to_(to) {}
  void add(const Sample& sample) override {
    to_.add(sample);
    ++samples;
  }
  void add(const StepEntry& step) override { to_.add(step); }
  void add_write(std::int64_t step, const State& state) override { to_.add_write(step, state); }
  std::atomic<std::int64_t> samples = 0;

 private:
  SampleSink& to_;
};

Recorder::Recorder(const Simulator& simulator, const std::string& path, const SamplingOptions& options,
                   RecordingExport make)
    : path_(fs::absolute(path).string()),
      recording_(recording_for(path_)),
      make_(chosen_export(path_, std::move(make))),
      simulator_(&simulator),
      systems_(simulator.systems().entries().size()) {
  if (std::string complaint = check(options); !complaint.empty()) throw std::invalid_argument(complaint);
  check_place(path_);
  const WithoutFileSizeSignal guard;
  check_unfinished(unfinished_path(recording_));
  keep_killed_run(recording_);
  thread_ = std::make_unique<RecordingThread>(recording_, header_of(begin_trajectory(simulator, options.rate)));
  sink_ = std::make_unique<CountingSink>(*thread_);
  sampler_ = std::make_unique<Sampler>(simulator, options, *sink_);
  thread_->start();
}

Recorder::~Recorder() {
  // In a fork of the process the thread is not there, and to destroy what it waits for would wait forever.
  if (thread_ && !thread_->is_in_its_process()) static_cast<void>(thread_.release());
}

std::int64_t Recorder::samples() const { return sink_->samples; }

bool Recorder::records() const { return !closed_ && !failed_ && thread_->is_in_its_process(); }

// Their states would not fit the samples so far.
bool Recorder::has_other_systems(const Simulator& simulator) const {
  return simulator.systems().entries().size() != systems_;
}

void Recorder::before_step(const Simulator& simulator) {
  const std::lock_guard lock(mutex_);
  if (records() && !has_other_systems(simulator)) sampler_->before_step(simulator.state());
}

// A failure is said once: whoever wants to go on without a recording can.
Status Recorder::on_step(const Simulator& simulator, const AcceptedStep& step) {
  const std::lock_guard lock(mutex_);
  if (!records()) return {};
  std::string failure;
  if (has_other_systems(simulator)) {
    failure = path_ + ": external systems were added after the recording began; add them before";
  } else {
    sampler_->step(simulator, step);
    failure = thread_->failure();
  }
  if (failure.empty()) return {};
  failed_ = true;
  return {StatusCode::kNotRecorded, step.after.time, "", failure};
}

void Recorder::on_end(const Simulator&) {
  try {
    close();
  } catch (const std::exception&) {
    failed_ = true;  // nobody is left to tell; the journal says what there was
  }
  const std::lock_guard lock(mutex_);
  simulator_ = nullptr;
}

// None if nobody can tell: the simulator is gone, or another thread is in the middle of a step.
std::optional<std::string> Recorder::last_report() const {
  if (!simulator_) return {};
  try {
    return report_to_text(simulator_->report());
  } catch (const SimulatorBusy&) {
    return {};
  }
}

// The mutex is not held while another format is made: that may wait for somebody who ends the simulator meanwhile.
void Recorder::close() {
  if (finish() && recording_ != path_) make_other_format();
}

bool Recorder::finish() {
  const std::lock_guard lock(mutex_);
  if (closed_.exchange(true) || !thread_->is_in_its_process()) return false;
  const std::unique_ptr<RecordingThread> thread = std::move(thread_);
  if (const std::optional<std::string> report = last_report()) {
    thread->close(sampler_->last(), *report);  // not what the user wrote since
  } else {
    thread->finish();
  }
  return true;
}

// If that fails there is still the recording.
void Recorder::make_other_format() const {
  try {
    make_(recording_, path_);
  } catch (const std::exception& error) {
    throw RecordingError(
        path_, fmt::format("cannot be made of the recording, which stays in {}: {}", recording_, error.what()));
  }
  fs::remove(recording_);
}

std::shared_ptr<Recorder> record(Simulator& simulator, const std::string& path, const SamplingOptions& options,
                                 RecordingExport make) {
  {
    const Changing allowed(simulator.in_use(), "record it");
  }  // else not even files are made
  std::shared_ptr<Recorder> recorder;
  {
    const Reading hold(simulator.in_use(), "record it");
    recorder.reset(new Recorder(simulator, path, options, std::move(make)));
  }
  simulator.observe(recorder);
  return recorder;
}

}  // namespace stickslip
