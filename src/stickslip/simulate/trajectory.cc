#include "stickslip/simulate/trajectory.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace stickslip {
namespace {

constexpr double kDefaultUntil = 10;  // [s]

void append(const VectorXd& row, std::vector<double>& rows) {
  rows.insert(rows.end(), row.data(), row.data() + row.size());
}

// Fills a trajectory as a simulator goes.
class TrajectoryWatch final : public StepObserver {
 public:
  TrajectoryWatch(const Simulator& simulator, const SamplingOptions& options, Trajectory& out)
      : sink_(out), sampler_(simulator, options, sink_) {}
  void before_step(const Simulator& simulator) override { sampler_.before_step(simulator.state()); }
  Status on_step(const Simulator& simulator, const AcceptedStep& step) override {
    sampler_.step(simulator, step);
    return {};
  }
  void on_end(const Simulator&) override {}

 private:
  TrajectorySink sink_;
  Sampler sampler_;
};

}  // namespace

void TrajectorySink::add(const Sample& sample) {
  out_.t.push_back(sample.t);
  append(sample.q, out_.q);
  append(sample.v, out_.v);
  append(sample.ctrl, out_.ctrl);
  append(sample.z, out_.z);
  append(sample.mocap, out_.mocap);
  append(sample.constraint_forces, out_.constraint_forces);
  out_.friction_energy.push_back(sample.friction_energy);
  out_.contacts.insert(out_.contacts.end(), sample.contacts.begin(), sample.contacts.end());
  out_.contact_start.push_back(static_cast<std::int64_t>(out_.contacts.size()));
}

double default_until(const Model& model) { return model.simulation.until.value_or(kDefaultUntil); }

Trajectory begin_trajectory(const Simulator& simulator, std::optional<double> sample_rate) {
  Trajectory out;
  out.model = simulator.shared_model();
  out.sample_rate = sample_rate;
  out.options = simulator.options();
  out.options.method = simulator.method();
  out.systems = static_cast<int>(simulator.systems().entries().size());
  out.acts_on_contact = simulator.acts_on_contact();
  out.start = simulator.state();
  return out;
}

Energies energies(const Trajectory& run) {
  if (run.energy) return *run.energy;
  EnergyMeter meter(run.model, run.acts_on_contact);
  Energies out;
  State state = initial_state(*run.model);
  for (size_t i = 0; i < run.t.size(); ++i) {
    state.time = run.t[i];
    state.q = run.row(run.q, i);
    state.v = run.row(run.v, i);
    state.mocap = run.row(run.mocap, i);
    out.add(meter.measure(state, run.friction_energy[i]));
  }
  return out;
}

Trajectory simulate(const std::shared_ptr<const Model>& model, const SimulateOptions& options) {
  const double until = options.until.value_or(default_until(*model));
  if (!std::isfinite(until)) throw std::invalid_argument("until must be a finite number of seconds");
  Simulator simulator(model, options.simulator);
  for (const auto& system : options.systems) simulator.add(system);
  Trajectory out = begin_trajectory(simulator, options.sample_rate);
  if (until < simulator.time())
    throw std::invalid_argument(fmt::format("until is {} s, before the start at {} s", until, simulator.time()));
  simulator.observe(
      std::make_shared<TrajectoryWatch>(simulator, SamplingOptions{options.sample_rate, options.contacts}, out));
  if (options.prepare) options.prepare(simulator);
  simulator.advance_to(until, options.keep_going);
  if (options.finish) options.finish(simulator);
  out.end = simulator.state();
  out.report = simulator.report();
  return out;
}

Trajectory simulate(Model model, const SimulateOptions& options) {
  return simulate(std::make_shared<const Model>(std::move(model)), options);
}

}  // namespace stickslip
