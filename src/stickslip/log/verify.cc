#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "stickslip/log/recording.h"

namespace stickslip {
namespace {

// How many there were does not matter to the result, and files are not to decide how many there are.
SimulatorOptions one_thread(SimulatorOptions options) {
  options.threads = 1;
  return options;
}

template <typename Row>
bool same(const VectorXd& again, const Row& recorded) {
  return again.size() == recorded.size() && (again.array() == recorded.array()).all();
}

// Compares what the run samples now with what is recorded of it.
class Comparison final : public SampleSink {
 public:
  explicit Comparison(const Trajectory& run) : run_(run), state_(run.start) {
    if (run.energy) meter_ = std::make_unique<EnergyMeter>(run.model, run.acts_on_contact);
  }
  void add(const Sample& sample) override {
    const size_t i = samples_++;
    if (!difference_.empty() || i >= run_.t.size()) return;
    const char* what = nullptr;
    if (!is_same_motion(sample, i)) {
      what = "motion differs";
    } else if (run_.forces_are_means && !are_same_forces(sample, i)) {
      what = "forces differ";
    } else if (!is_same_energy(sample, i)) {
      what = "energies differ";
    }
    if (what)
      difference_ = fmt::format("sample {} of {}, recorded at t = {:.9g} s, is not of this run: its {}", i,
                                run_.t.size(), run_.t[i], what);
  }
  void add(const StepEntry& step) override {
    const size_t k = steps_++;
    is_last_same_ = k < run_.steps.size() && step == run_.steps[k];
  }
  void add_write(std::int64_t, const State&) override {}

  bool is_last_step_same() const { return is_last_same_; }
  // A sentence; empty if all are there. A run that was killed may have lost the last of them.
  std::string samples_that_differ() const {
    if (!difference_.empty()) return difference_;
    if (samples_ == run_.t.size() || (!run_.complete && samples_ > run_.t.size())) return "";
    return fmt::format("{} samples are recorded, and the run has {}", run_.t.size(), samples_);
  }

 private:
  bool is_same_motion(const Sample& sample, size_t i) const {
    return sample.t == run_.t[i] && same(sample.q, run_.row(run_.q, i)) && same(sample.v, run_.row(run_.v, i)) &&
           same(sample.ctrl, run_.row(run_.ctrl, i)) && same(sample.z, run_.row(run_.z, i)) &&
           same(sample.mocap, run_.row(run_.mocap, i));
  }
  // Contacts need not be recorded.
  bool are_same_forces(const Sample& sample, size_t i) const {
    if (!same(sample.constraint_forces, run_.row(run_.constraint_forces, i))) return false;
    if (run_.contacts.empty()) return true;
    const auto at = [&](size_t row) { return run_.contacts.begin() + run_.contact_start[row]; };
    return std::equal(sample.contacts.begin(), sample.contacts.end(), at(i), at(i + 1));
  }
  bool is_same_energy(const Sample& sample, size_t i) {
    if (i < run_.friction_energy.size() && sample.friction_energy != run_.friction_energy[i]) return false;
    if (!meter_) return true;
    state_.time = sample.t;
    state_.q = sample.q;
    state_.v = sample.v;
    state_.mocap = sample.mocap;
    const EnergySample energy = meter_->measure(state_, sample.friction_energy);
    const Energies& recorded = *run_.energy;
    return energy.kinetic == recorded.kinetic[i] && energy.potential == recorded.potential[i] &&
           energy.elastic == recorded.elastic[i];
  }

  const Trajectory& run_;
  std::unique_ptr<EnergyMeter> meter_;
  State state_;  // of a sample, for its energies
  size_t samples_ = 0, steps_ = 0;
  bool is_last_same_ = true;
  std::string difference_;
};

class Watch final : public StepObserver {
 public:
  Watch(const Simulator& simulator, const Trajectory& run)
      : comparison_(run),
        sampler_(simulator, {.rate = run.sample_rate, .contacts = !run.contacts.empty()}, comparison_) {}
  void before_step(const Simulator& simulator) override { sampler_.before_step(simulator.state()); }
  Status on_step(const Simulator& simulator, const AcceptedStep& step) override {
    sampler_.step(simulator, step);
    return {};
  }
  void on_end(const Simulator&) override {}
  const Comparison& comparison() const { return comparison_; }

 private:
  Comparison comparison_;
  Sampler sampler_;
};

// The run again, step by step.
class Rerun {
 public:
  Rerun(const Trajectory& run, const std::vector<std::shared_ptr<const System>>& systems)
      : run_(run), simulator_(run.model, one_thread(run.options)) {
    for (const auto& system : systems) simulator_.add(system);
    simulator_.set_state(run.start);
    watch_ = std::make_shared<Watch>(simulator_, run);
    simulator_.observe(watch_);
  }

  // Takes the step of index k; a sentence if it differs from the recorded one.
  std::string step(size_t k) {
    for (; next_write_ < run_.writes.size() && run_.writes[next_write_].step <= static_cast<std::int64_t>(k);
         ++next_write_)
      simulator_.set_state(run_.writes[next_write_].state);
    const StepEntry& recorded = run_.steps[k];
    const Status status = std::isfinite(recorded.target) ? simulator_.step_toward(recorded.target) : simulator_.step();
    if (!status.ok()) return fmt::format("stops: {}", status.message);
    if (motion_hash(simulator_.state()) != recorded.hash) return "differs" + distance(k);
    return watch_->comparison().is_last_step_same() ? "" : "has another start, size, error or target in the recording";
  }

  std::string samples_that_differ() const { return watch_->comparison().samples_that_differ(); }
  bool ends_alike() const { return !run_.complete || hash(simulator_.state()) == hash(run_.end); }
  double time() const { return simulator_.time(); }

 private:
  // From the sample of the same step, if every step is a sample.
  std::string distance(size_t k) const {
    if (run_.t.size() != run_.steps.size() + 1 || run_.model->nq == 0) return "";
    const auto q = run_.row(run_.q, k + 1);
    return fmt::format(", by {:.3g} in q and {:.3g} s in time", (q - simulator_.state().q).cwiseAbs().maxCoeff(),
                       std::abs(run_.t[k + 1] - simulator_.time()));
  }

  const Trajectory& run_;
  Simulator simulator_;
  std::shared_ptr<Watch> watch_;
  size_t next_write_ = 0;
};

Verification compare(const Trajectory& run, const std::vector<std::shared_ptr<const System>>& systems) {
  Rerun again(run, systems);
  Verification out;
  for (size_t k = 0; k < run.steps.size(); ++k) {
    const double start = run.steps[k].time;
    const std::string difference = again.step(k);
    if (!difference.empty()) {
      out.first_difference = static_cast<std::int64_t>(k);
      out.message = fmt::format("step {} of {}, from t = {:.9g} s, {}", k, run.steps.size(), start, difference);
      return out;
    }
    ++out.steps;
  }
  const std::string samples = again.samples_that_differ();
  out.ok = samples.empty() && again.ends_alike();
  out.message = out.ok             ? fmt::format("{} steps agree, to the bit", out.steps)
                : !samples.empty() ? fmt::format("{} steps agree, but {}", out.steps, samples)
                                   : fmt::format("{} steps agree, but the state at the end does not", out.steps);
  return out;
}

}  // namespace

Verification verify(const Trajectory& run, const std::vector<std::shared_ptr<const System>>& systems) {
  if (static_cast<int>(systems.size()) != run.systems) {
    return {.message = fmt::format("the run had {} external systems, which a recording cannot hold; {} were given",
                                   run.systems, systems.size())};
  }
  try {
    return compare(run, systems);
  } catch (const std::invalid_argument& error) {
    return {.message = fmt::format("cannot be run again: {}", error.what())};
  }
}

}  // namespace stickslip
