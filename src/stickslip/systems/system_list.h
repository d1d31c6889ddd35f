#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "stickslip/systems/system.h"

namespace stickslip {

// One degree of freedom that a system names.
struct SystemDof {
  int v = 0;                  // index into State::v
  int tree = 0, dof = 0;      // tree, and index within it
  double limit = kInfinity;   // of effort
  bool tree_limited = false;  // some degree of freedom of this tree has a limit in the same system
};

struct SystemEntry {
  std::shared_ptr<const System> system;
  int z_start = 0, nz = 0;
  bool implicit = true;
  double resolution = kInfinity;  // [s]
  std::vector<SystemDof> dofs;
  VectorXd limits;  // nv or empty
};

// The systems of a simulation, in the order in which they were added: so their states stand in State::z.
class SystemList {
 public:
  explicit SystemList(const Model& model) : model_(&model) {}

  // Throws std::invalid_argument if the system does not fit the model, or is there already.
  void add(std::shared_ptr<const System> system);

  // Replaces pointers by others to the same systems.
  void hold(const std::function<std::shared_ptr<const System>(const SystemEntry&)>& pointer_to) {
    for (SystemEntry& entry : entries_) entry.system = pointer_to(entry);
  }

  const Model& model() const { return *model_; }
  const std::vector<SystemEntry>& entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }
  int nz() const { return static_cast<int>(initial_z_.size()); }
  const VectorXd& initial_z() const { return initial_z_; }
  double next_tick(double time) const;  // of any of them, after `time`

 private:
  const Model* model_;
  std::vector<SystemEntry> entries_;
  VectorXd initial_z_;
};

// What one system sees of a state.
inline SystemInput input_of(const SystemEntry& entry, const Model& model, const State& state) {
  return {model, state, Eigen::Map<const VectorXd>(state.z.data() + entry.z_start, entry.nz)};
}

}  // namespace stickslip
