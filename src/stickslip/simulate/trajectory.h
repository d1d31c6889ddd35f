#pragma once

#include <memory>

#include "stickslip/simulate/energy_meter.h"
#include "stickslip/simulate/sampler.h"

namespace stickslip {

// What a run went through, one row a recorded time.
struct Trajectory {
  std::shared_ptr<const Model> model;
  std::optional<double> sample_rate = {};  // [Hz]; none: a sample after every step
  SimulatorOptions options = {};
  int systems = 0;               // external ones
  bool acts_on_contact = true;   // the method
  bool forces_are_means = true;  // over a sample's interval; recordings of earlier versions have those of an instant
  bool complete = true;          // false: the run was killed, and this is what it left behind

  // Rows, row-major: N = size(t) of them, each of nq, nv, nu, nz, 7 a mocap body, nv numbers.
  std::vector<double> t, q, v, ctrl, z, mocap, constraint_forces;
  std::vector<double> friction_energy;            // N: that friction's springs hold [J]
  std::vector<std::int64_t> contact_start = {0};  // N + 1; contacts of row i: contacts[start[i]] .. [start[i + 1]]
  std::vector<ContactSample> contacts;

  struct Write {
    std::int64_t step = 0;
    State state;
  };
  std::vector<StepEntry> steps;
  std::vector<Write> writes;  // of the user, before the step of that index
  State start, end;
  Report report;
  std::optional<Energies> energy = {};  // none: not computed yet

  // Row i of one of the tables above.
  Eigen::Map<const VectorXd> row(const std::vector<double>& rows, size_t i) const {
    const size_t width = rows.size() / t.size();
    return {rows.data() + i * width, static_cast<Eigen::Index>(width)};
  }
};

// Of a simulator as it stands, without samples yet.
Trajectory begin_trajectory(const Simulator& simulator, std::optional<double> sample_rate);

// Energies of all rows: as they were read, or else computed.
Energies energies(const Trajectory& run);

// Appends to a trajectory.
class TrajectorySink final : public SampleSink {
 public:
  explicit TrajectorySink(Trajectory& out) : out_(out) {}
  void add(const Sample& sample) override;
  void add(const StepEntry& step) override { out_.steps.push_back(step); }
  void add_write(std::int64_t step, const State& state) override { out_.writes.push_back({step, state}); }

 private:
  Trajectory& out_;
};

struct SimulateOptions {
  SimulatorOptions simulator = {};
  std::optional<double> until = {};  // [s]; none: the scene's, or 10 s
  std::optional<double> sample_rate =
      {};                                 // [Hz]; none: every step. Samples are interpolated and never change the steps
  std::function<bool()> keep_going = {};  // asked before each step
  std::vector<std::shared_ptr<const System>> systems = {};    // external ones
  bool contacts = true;                                       // kept with the samples
  std::function<void(Simulator&)> prepare = {}, finish = {};  // called before the first step and after the last
};

// When a run of this model ends if nobody says otherwise [s].
double default_until(const Model& model);

// The whole run in one call.
Trajectory simulate(const std::shared_ptr<const Model>& model, const SimulateOptions& options = {});
Trajectory simulate(Model model, const SimulateOptions& options = {});

}  // namespace stickslip
