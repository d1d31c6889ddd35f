#include "stickslip/simulate/trajectory.h"

#include <cmath>
#include <stdexcept>

#include "stickslip/state/interpolate.h"

namespace stickslip {
namespace {

constexpr double kDefaultUntil = 10;  // [s]

void append(const VectorXd& row, std::vector<double>& rows) {
  rows.insert(rows.end(), row.data(), row.data() + row.size());
}

// Samples at k/rate between two states.
class Sampler {
 public:
  Sampler(const Model& model, std::optional<double> rate, Trajectory& out) : model_(model), rate_(rate), out_(out) {}

  void start(const State& state) {
    first_ = state.time;
    record(state.time, state.q, state.v);
  }

  void step(const State& from, const State& to) {
    if (!rate_) return record(to.time, to.q, to.v);
    if (!(sample_time() <= to.time * (1 + 1e-15))) return;
    between_.reset(model_, from, to);
    for (; sample_time() <= to.time * (1 + 1e-15); ++count_) {
      between_.at((sample_time() - from.time) / (to.time - from.time), q_, v_);
      record(sample_time(), q_, v_);
    }
  }

 private:
  double sample_time() const { return first_ + static_cast<double>(count_) / *rate_; }
  void record(double t, const VectorXd& q, const VectorXd& v) {
    out_.t.push_back(t);
    append(q, out_.q);
    append(v, out_.v);
  }

  const Model& model_;
  std::optional<double> rate_;
  Trajectory& out_;
  double first_ = 0;
  std::int64_t count_ = 1;
  Interpolator between_;
  VectorXd q_, v_;
};

}  // namespace

Trajectory simulate(const std::shared_ptr<const Model>& model, const SimulateOptions& options) {
  const double until = options.until.value_or(model->simulation.until.value_or(kDefaultUntil));
  if (!std::isfinite(until)) throw std::invalid_argument("until must be a finite number of seconds");
  if (options.sample_rate && !(*options.sample_rate > 0 && std::isfinite(*options.sample_rate)))
    throw std::invalid_argument("sample_rate must be positive and finite");
  Simulator simulator(model, options.simulator);
  for (const auto& system : options.systems) simulator.add(system);
  Trajectory out;
  out.model = model;
  Sampler sampler(*model, options.sample_rate, out);
  sampler.start(simulator.state());
  State before;
  while (simulator.time() != until) {
    before = simulator.state();
    // One step at a time, as advance_to(until) takes them: the recording sees the same steps as an unrecorded run.
    if (!simulator.step_toward(until, options.keep_going).ok()) break;
    if (simulator.time() == before.time) break;
    sampler.step(before, simulator.state());
  }
  out.end = simulator.state();
  out.report = simulator.report();
  return out;
}

Trajectory simulate(Model model, const SimulateOptions& options) {
  return simulate(std::make_shared<const Model>(std::move(model)), options);
}

}  // namespace stickslip
