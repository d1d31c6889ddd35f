#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "stickslip/log/run_format.h"
#include "stickslip/simulate/sampler.h"

namespace stickslip {

class RecordingThread;

// Writes what a simulator does into a file, from record() until close() or the end of the simulator. Killed in between
// it leaves a journal, of which load_recording() makes a file.
class Recorder final : public StepObserver {
 public:
  ~Recorder() override;

  void before_step(const Simulator& simulator) override;
  Status on_step(const Simulator& simulator, const AcceptedStep& step) override;
  void on_end(const Simulator& simulator) override;
  bool is_done() const override { return closed(); }

  // Ends the recording and makes its file; later calls do nothing. Any thread may do it. While another one is in the
  // middle of a step, the recording is like that of a killed run. Throws RecordingError; then the journal stays.
  void close();
  bool closed() const { return closed_; }
  const std::string& path() const { return path_; }
  std::int64_t samples() const;  // so far

 private:
  friend std::shared_ptr<Recorder> record(Simulator&, const std::string&, const SamplingOptions&, RecordingExport);
  Recorder(const Simulator& simulator, const std::string& path, const SamplingOptions& options, RecordingExport make);
  bool records() const;  // the step under way
  bool finish();         // false if it is already
  void make_other_format() const;
  bool has_other_systems(const Simulator& simulator) const;
  std::optional<std::string> last_report() const;

  class CountingSink;
  std::string path_;
  std::string recording_;       // HDF5: the same, or what another format is made of at the end
  RecordingExport make_;        // of other formats
  const Simulator* simulator_;  // null once it is gone
  size_t systems_;              // external ones, at the start
  std::mutex mutex_;
  std::unique_ptr<RecordingThread> thread_;
  std::unique_ptr<CountingSink> sink_;
  std::unique_ptr<Sampler> sampler_;
  bool failed_ = false;
  std::atomic<bool> closed_ = false;
};

// Records every step of a simulator from now on, or samples at a rate, as what the name's ending says: into an HDF5
// file (see docs/formats/recording.md), or a table (.csv) that is made of one when the recording ends; for pages and
// logs say how they are made. Throws RecordingError if it cannot be written, or would write over what is no recording,
// std::invalid_argument if the rate is no rate, or the ending is none.
std::shared_ptr<Recorder> record(Simulator& simulator, const std::string& path, const SamplingOptions& options = {},
                                 RecordingExport make = {});

}  // namespace stickslip
