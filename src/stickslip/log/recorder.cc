#include "stickslip/log/recorder.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "stickslip/log/recording_error.h"
#include "stickslip/log/recording_thread.h"
#include "stickslip/log/report_json.h"

namespace stickslip {

class Recorder::CountingSink final : public SampleSink {
 public:
  explicit CountingSink(SampleSink& to) : to_(to) {}
  void add(const Sample& sample) override {
    to_.add(sample);
    ++samples;
  }
  void add(const StepEntry& step) override { to_.add(step); }
  void add_write(std::int64_t step, const State& state) override { to_.add_write(step, state); }
  std::int64_t samples = 0;

 private:
  SampleSink& to_;
};

Recorder::Recorder(Simulator& simulator, std::string path, const SamplingOptions& options)
    : path_(std::move(path)), simulator_(&simulator) {
  if (std::string complaint = check(options); !complaint.empty()) throw std::invalid_argument(complaint);
  if (std::filesystem::is_directory(path_)) throw RecordingError(path_, "is a folder; name a file in it");
  thread_ = std::make_unique<RecordingThread>(path_, header_of(begin_trajectory(simulator, options.rate)));
  sink_ = std::make_unique<CountingSink>(*thread_);
  sampler_ = std::make_unique<Sampler>(simulator, options, *sink_);
  thread_->start();
}

Recorder::~Recorder() {
  if (thread_ && !thread_->is_in_its_process()) abandon();
}

// In a fork of the process: its thread is not there, and to destroy what that waits for would wait forever.
void Recorder::abandon() {
  static_cast<void>(thread_.release());
  simulator_ = nullptr;
}

std::int64_t Recorder::samples() const { return sink_->samples; }

// Said once: whoever wants to go on without a recording can.
Status Recorder::on_step(const Simulator& simulator, const AcceptedStep& step) {
  if (closed() || failed_ || !thread_->is_in_its_process()) return {};
  sampler_->step(simulator, step);
  const std::string failure = thread_->failure();
  if (failure.empty()) return {};
  failed_ = true;
  return {StatusCode::kNotRecorded, step.after.time, "", failure};
}

void Recorder::on_end(const Simulator&) {
  try {
    close();
  } catch (const RecordingError&) {
    // Nobody is left to tell; the journal says what there was.
  }
  simulator_ = nullptr;
}

void Recorder::close() {
  if (closed()) return;
  const auto alive = shared_from_this();
  if (!thread_->is_in_its_process()) return abandon();
  const auto thread = std::move(thread_);
  Simulator* simulator = std::exchange(simulator_, nullptr);
  if (!simulator) return;
  const State& end = sampler_->last();  // not what the user wrote since
  const std::string report = to_json(simulator->report()).dump();
  simulator->forget(*this);
  thread->close(end, report);
}

std::shared_ptr<Recorder> record(Simulator& simulator, const std::string& path, const SamplingOptions& options) {
  const std::shared_ptr<Recorder> recorder(new Recorder(simulator, path, options));
  simulator.observe(recorder);
  return recorder;
}

}  // namespace stickslip
