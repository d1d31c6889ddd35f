#include "stickslip/log/recorder.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "stickslip/log/recording_error.h"
#include "stickslip/log/recording_thread.h"
#include "stickslip/log/recover.h"
#include "stickslip/log/report_json.h"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

void check_place(const std::string& path) {
  if (fs::is_directory(path)) throw RecordingError(path, "is a folder; name a file in it");
  const fs::path folder = fs::path(path).parent_path();
  if (!fs::is_directory(folder))
    throw RecordingError(path, fmt::format("there is no folder '{}'; make it first", folder.string()));
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

Recorder::Recorder(const Simulator& simulator, const std::string& path, const SamplingOptions& options)
    : path_(fs::absolute(path).string()), simulator_(&simulator), systems_(simulator.systems().entries().size()) {
  if (std::string complaint = check(options); !complaint.empty()) throw std::invalid_argument(complaint);
  check_place(path_);
  recover(path_);  // what a killed run of that name left
  thread_ = std::make_unique<RecordingThread>(path_, header_of(begin_trajectory(simulator, options.rate)));
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
    // Nobody is left to tell; the journal says what there was.
  }
  const std::lock_guard lock(mutex_);
  simulator_ = nullptr;
}

void Recorder::close() {
  const std::lock_guard lock(mutex_);
  if (closed_.exchange(true) || !thread_->is_in_its_process()) return;
  const std::unique_ptr<RecordingThread> thread = std::move(thread_);
  if (!simulator_ || simulator_->is_stepping()) return thread->finish();
  thread->close(sampler_->last(), report_to_text(simulator_->report()));  // not what the user wrote since
}

std::shared_ptr<Recorder> record(Simulator& simulator, const std::string& path, const SamplingOptions& options) {
  const std::shared_ptr<Recorder> recorder(new Recorder(simulator, path, options));
  simulator.observe(recorder);
  return recorder;
}

}  // namespace stickslip
