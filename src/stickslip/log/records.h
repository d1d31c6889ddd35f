#pragma once

#include <string>
#include <string_view>

#include "stickslip/simulate/trajectory.h"

namespace stickslip {

// What is known of a recording before its first step.
struct RecordingHeader {
  std::string stickslip_version;
  std::string scene, options;  // JSON
  double sample_rate = 0;      // [Hz]; 0: every step
  int systems = 0;             // external ones
  bool acts_on_contact = true;
  State start;
};

// Of a run, from what is known when it starts.
RecordingHeader header_of(const Trajectory& run);

// Takes a recording piece by piece, in the order in which they happened.
class RecordSink : public SampleSink {
 public:
  virtual void begin(const RecordingHeader& header) = 0;
  virtual void end(const State& state, const std::string& report) = 0;  // the run was ended by its owner
};

// A finished run piece by piece, as if it were happening.
void hand_on(const Trajectory& run, RecordSink& sink);

// A recording as a stream of bytes: each piece is a letter and what it consists of.
class RecordWriter final : public RecordSink {
 public:
  explicit RecordWriter(std::string& out) : out_(out) {}
  void begin(const RecordingHeader& header) override;
  void add(const Sample& sample) override;
  void add(const StepEntry& step) override;
  void add_write(std::int64_t step, const State& state) override;
  void end(const State& state, const std::string& report) override;

 private:
  std::string& out_;
};

// Hands the pieces in `bytes` on. False if they are not such pieces; those before have been handed on then.
bool read_records(std::string_view bytes, RecordSink& sink);

}  // namespace stickslip
