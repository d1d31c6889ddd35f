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

std::array<float, 3> single(const Vector3d& x) {
  return {static_cast<float>(x.x()), static_cast<float>(x.y()), static_cast<float>(x.z())};
}

ContactSample contact_sample(const ContactResult& contact) {
  return {.body_a = contact.body_a,
          .body_b = contact.body_b,
          .point = single(contact.point),
          .normal = single(contact.normal),
          .depth = static_cast<float>(contact.depth),
          .force = single(contact.force),
          .slip = single(contact.slip),
          .mode = static_cast<std::int32_t>(contact.mode)};
}

std::span<const double> view(const VectorXd& x) { return {x.data(), static_cast<size_t>(x.size())}; }

}  // namespace

void read_contacts(const Simulator& simulator, std::vector<ContactSample>& out) {
  out.clear();
  for (const ContactResult& contact : simulator.contacts()) {
    if (contact.mode != ContactMode::kOpen) out.push_back(contact_sample(contact));
  }
}

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
  if (has_constraint_forces(simulator.model())) sample_.constraint_forces.setZero(simulator.model().nv);
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
  if (!options_.rate) {
    read_forces(simulator);
    add_state(step.after);
  } else if (reached(step.after.time)) {
    read_forces(simulator);
    between_.reset(simulator.model(), before, step.after);
    for (; reached(step.after.time); ++count_) add_between(before, step.after);
  }
  last_ = step.after;
}

// The user turned the clock: samples go on at the next multiple of the period.
void Sampler::restart_clock(double time) {
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
  if (sample_.constraint_forces.size() > 0) sample_.constraint_forces = simulator.constraint_forces();
  sample_.friction_energy = friction_energy(simulator.state());
  if (options_.contacts) {
    read_contacts(simulator, sample_.contacts);
  } else {
    sample_.contacts.clear();
  }
}

}  // namespace stickslip
