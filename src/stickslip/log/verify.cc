#include <fmt/format.h>

#include <stdexcept>

#include "stickslip/log/recording.h"

namespace stickslip {
namespace {

// How many there were does not matter to the result, and files are not to decide how many there are.
SimulatorOptions one_thread(SimulatorOptions options) {
  options.threads = 1;
  return options;
}

// The run again, step by step.
class Rerun {
 public:
  Rerun(const Trajectory& run, const std::vector<std::shared_ptr<const System>>& systems)
      : run_(run), simulator_(run.model, one_thread(run.options)) {
    for (const auto& system : systems) simulator_.add(system);
    simulator_.set_state(run.start);
  }

  // Takes the step of index k; a sentence if it differs from the recorded one.
  std::string step(size_t k) {
    for (; next_write_ < run_.writes.size() && run_.writes[next_write_].step <= static_cast<std::int64_t>(k);
         ++next_write_)
      simulator_.set_state(run_.writes[next_write_].state);
    const StepEntry& recorded = run_.steps[k];
    const Status status = std::isfinite(recorded.target) ? simulator_.step_toward(recorded.target) : simulator_.step();
    if (!status.ok()) return fmt::format("stops: {}", status.message);
    if (motion_hash(simulator_.state()) == recorded.hash) return "";
    return "differs" + distance(k);
  }

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
  out.ok = again.ends_alike();
  out.message = out.ok ? fmt::format("{} steps agree, to the bit", out.steps)
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
