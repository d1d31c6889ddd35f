#pragma once

#include <memory>
#include <string>

#include "stickslip/simulate/sampler.h"

namespace stickslip {

class RecordingThread;

// Writes what a simulator does into a file, from record() until close() or the end of the simulator. Killed in between
// it leaves a journal, of which load_recording() makes a file.
class Recorder final : public StepObserver, public std::enable_shared_from_this<Recorder> {
 public:
  ~Recorder() override;

  Status on_step(const Simulator& simulator, const AcceptedStep& step) override;
  void on_end(const Simulator& simulator) override;

  // Ends the recording and makes its file. Throws RecordingError; then the journal stays. Later calls do nothing.
  void close();
  bool closed() const { return thread_ == nullptr; }
  const std::string& path() const { return path_; }
  std::int64_t samples() const;  // so far

 private:
  friend std::shared_ptr<Recorder> record(Simulator&, const std::string&, const SamplingOptions&);
  Recorder(Simulator& simulator, std::string path, const SamplingOptions& options);

  void abandon();

  class CountingSink;
  std::string path_;
  Simulator* simulator_;  // null once it is gone
  std::unique_ptr<RecordingThread> thread_;
  std::unique_ptr<CountingSink> sink_;
  std::unique_ptr<Sampler> sampler_;
  bool failed_ = false;
};

// Records every step of a simulator from now on, or samples at a rate, into an HDF5 file: see
// docs/formats/recording.md. Throws RecordingError if it cannot be written, std::invalid_argument if the rate is no
// rate.
std::shared_ptr<Recorder> record(Simulator& simulator, const std::string& path, const SamplingOptions& options = {});

}  // namespace stickslip
