#include "stickslip/simulate/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "stickslip/base/hash.h"

namespace stickslip {
namespace {

constexpr double kMostSamples = 1e15;  // whole numbers of doubles
constexpr double kHighestRate = 1e6;   // [Hz]: a sample must move the clock, and leave some memory
constexpr double kSliver = 1e-9;       // of a step: less of it in an interval is round-off

std::span<const double> view(const VectorXd& x) { return {x.data(), static_cast<size_t>(x.size())}; }

}  // namespace

double friction_energy(const State& state) {
  double sum = 0;
  for (const Grip& grip : state.grips) sum += grip.energy;
  return sum;
}

std::uint64_t motion_hash(const State& state) {
  Hash hash;
  hash.add(state.time);
  hash.add(view(state.q));
  hash.add(view(state.v));
  return hash.value();
}

std::string check(const SamplingOptions& options) {
  if (!options.rate || (*options.rate > 0 && *options.rate <= kHighestRate)) return "";
  return fmt::format("the sample rate is {}, expected a positive number of samples a second, at most {}", *options.rate,
                     kHighestRate);
}

bool has_constraint_forces(const Model& model) {
  return !model.articulated_trees.empty() || !model.constraints.empty() || !model.tendons.empty();
}

Sampler::Sampler(const Simulator& simulator, const SamplingOptions& options, SampleSink& sink)
    : options_(options), sink_(sink), last_(simulator.state()), first_(simulator.time()) {
  if (std::string complaint = check(options); !complaint.empty()) throw std::invalid_argument(complaint);
  if (has_constraint_forces(simulator.model())) {
    sample_.constraint_forces.setZero(simulator.model().nv);
    impulse_ = sample_.constraint_forces;
  }
  add_state(last_);
}

// It is copied only where it differs.
void Sampler::before_step(const State& state) {
  is_written_ = !(state == last_);
  if (is_written_) written_ = state;
}

void Sampler::step(const Simulator& simulator, const AcceptedStep& step) {
  const State& before = is_written_ ? written_ : last_;
  if (is_written_) sink_.add_write(steps_, before);
  if (options_.rate && before.time != last_.time) restart_clock(before.time);
  sink_.add(StepEntry{before.time, step.record.h, step.record.error, step.target, motion_hash(step.after)});
  ++steps_;
  read_forces(simulator);
  if (!options_.rate) {
    if (step_forces_.size() > 0) sample_.constraint_forces = step_forces_;
    sample_.contacts = step_contacts_;
    add_state(step.after);
  } else {
    add_samples(simulator, before, step.after);
  }
  last_ = step.after;
}

// The step's forces hold over all of it, of which each interval takes its part.
void Sampler::add_samples(const Simulator& simulator, const State& from, const State& to) {
  const double sliver = kSliver * (to.time - from.time);
  double start = from.time;
  if (reached(to.time)) between_.reset(simulator.model(), from, to);
  for (; reached(to.time); ++count_) {
    const double end = std::min(sample_time(), to.time);
    if (end - start > sliver || duration_ == 0) hold_forces(end - start);
    finish_forces();
    add_between(from, to);
    start = end;
  }
  if (to.time - start > sliver) hold_forces(to.time - start);
}

// The user turned the clock: samples go on at the next multiple of the period, and a new interval begins.
void Sampler::restart_clock(double time) {
  average_.clear();
  impulse_.setZero();
  duration_ = 0;
  const double passed = std::clamp((time - first_) * *options_.rate, -kMostSamples, kMostSamples);
  count_ = static_cast<std::int64_t>(std::floor(passed)) + 1;
}

void Sampler::add_state(const State& state) {
  sample_.t = state.time;
  sample_.q = state.q;
  sample_.v = state.v;
  sample_.ctrl = state.ctrl;
  sample_.z = state.z;
  sample_.mocap = state.mocap;
  sink_.add(sample_);
}

void Sampler::add_between(const State& from, const State& to) {
  const double part = (sample_time() - from.time) / (to.time - from.time);
  sample_.t = sample_time();
  between_.at(part, sample_.q, sample_.v);
  sample_.ctrl = to.ctrl;
  sample_.z = to.z;
  if (from.z.size() == to.z.size()) sample_.z = (1 - part) * from.z + part * to.z;
  sample_.mocap = to.mocap;
  sink_.add(sample_);
}

void Sampler::read_forces(const Simulator& simulator) {
  if (sample_.constraint_forces.size() > 0) step_forces_ = simulator.constraint_forces();
  sample_.friction_energy = friction_energy(simulator.state());
  if (options_.contacts) sample_contacts(simulator.contacts(), step_contacts_);
}

void Sampler::hold_forces(double duration) {
  duration_ += duration;
  if (step_forces_.size() > 0) impulse_ += duration * step_forces_;
  average_.add(step_contacts_, duration);
}

void Sampler::finish_forces() {
  if (step_forces_.size() > 0 && duration_ > 0) sample_.constraint_forces = impulse_ / duration_;
  average_.finish(sample_.contacts);
  impulse_.setZero();
  duration_ = 0;
}

}  // namespace stickslip
