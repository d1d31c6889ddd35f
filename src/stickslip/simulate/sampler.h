#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stickslip/simulate/contact_average.h"
#include "stickslip/simulate/simulator.h"
#include "stickslip/state/interpolate.h"

namespace stickslip {

// That friction's springs hold [J].
double friction_energy(const State& state);

// What is known at one time. Forces are means over the interval since the sample before: impulses divided by it.
struct Sample {
  double t = 0;
  VectorXd q, v, ctrl, z, mocap;
  VectorXd constraint_forces;           // nv; empty for models without constraints
  std::vector<ContactSample> contacts;  // without the open ones
  double friction_energy = 0;           // that friction's springs held at the end of the last step [J]
};

// One accepted step, however the samples lie.
struct StepEntry {
  double time = 0, h = 0;  // start, size [s]
  double error = 0;        // estimated; 0 for fixed steps
  double target = 0;       // time that it was not to pass; infinity if none
  std::uint64_t hash = 0;  // of the motion after it

  bool operator==(const StepEntry&) const = default;
};

// Of time, q and v.
std::uint64_t motion_hash(const State& state);

// Takes what a Sampler sees: memory, or a file.
class SampleSink {
 public:
  virtual ~SampleSink() = default;
  virtual void add(const Sample& sample) = 0;
  virtual void add(const StepEntry& step) = 0;
  // The user wrote: the step of index `step` began at `state`, not at the end of the one before.
  virtual void add_write(std::int64_t step, const State& state) = 0;
};

struct SamplingOptions {
  std::optional<double> rate = {};  // [Hz]; none: every step. Samples are interpolated and never change the steps
  bool contacts = true;
};

// A sentence about what is wrong; empty if nothing is.
std::string check(const SamplingOptions& options);

// Whether a model can have constraint forces at all.
bool has_constraint_forces(const Model& model);

// Watches a simulator from its present state on, and hands samples and steps to a sink.
class Sampler {
 public:
  Sampler(const Simulator& simulator, const SamplingOptions& options, SampleSink& sink);
  void before_step(const State& state);
  void step(const Simulator& simulator, const AcceptedStep& step);
  const State& last() const { return last_; }  // after the last step

 private:
  double sample_time() const { return first_ + static_cast<double>(count_) / *options_.rate; }
  bool reached(double end) const { return sample_time() <= end * (1 + 1e-15); }  // but for round-off
  void restart_clock(double time);
  void add_state(const State& state);
  void add_samples(const Simulator& simulator, const State& from, const State& to);
  void add_between(const State& from, const State& to);
  void read_forces(const Simulator& simulator);
  void hold_forces(double duration);
  void finish_forces();

  SamplingOptions options_;
  SampleSink& sink_;
  State last_;
  State written_;  // what the step under way began at, where the user wrote
  bool is_written_ = false;
  Sample sample_;
  double first_ = 0;
  std::int64_t count_ = 1;  // of samples at the rate
  std::int64_t steps_ = 0;
  Interpolator between_;
  // Of the step under way, and of the interval since the last sample.
  std::vector<ContactSample> step_contacts_;
  VectorXd step_forces_, impulse_;
  ContactAverage average_;
  double duration_ = 0;  // of the interval so far [s]
};

}  // namespace stickslip
