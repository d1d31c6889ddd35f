#pragma once

#include <memory>
#include <vector>

#include "stickslip/base/status.h"
#include "stickslip/systems/system_list.h"

namespace stickslip {

// One system at one state: all that a step needs of it, whatever the step's length.
struct SystemTerms {
  VectorXd g;                 // nv, what it applies now
  VectorXd h;                 // nz
  SystemJacobians jacobians;  // of implicit systems
};

// Asks systems about states, in memory of its own.
class SystemEvaluator {
 public:
  explicit SystemEvaluator(std::shared_ptr<const SystemList> systems);

  const SystemList& systems() const { return *systems_; }

  // g, h and Jacobians of every system. A number that is none is a Status that names the system. Here and below: a
  // state whose z has not the systems' size throws std::invalid_argument.
  Status evaluate(const State& state, std::vector<SystemTerms>& terms);

  // For explicit methods: adds the systems' forces to tau, within their limits, and writes z'.
  Status evaluate(const State& state, VectorXd& tau, VectorXd& zdot);

  // At a tick: systems that sample write what they see to state.z. True if any did.
  bool sample(State& state);

 private:
  void require_states(const State& state) const;
  Status evaluate_entry(size_t index, const State& state, SystemTerms& terms);
  Status difference(size_t index, const SystemTerms& terms, SystemJacobians& out);
  bool difference_column(size_t index, const SystemTerms& terms, double step, Eigen::Index column, MatrixXd& g_x,
                         MatrixXd& h_x);

  std::shared_ptr<const SystemList> systems_;
  // Of each system: it keeps its sizes.
  struct Memory {
    std::unique_ptr<System::Scratch> scratch;
    SystemTerms terms;  // elsewhere than asked
  };
  std::vector<Memory> memory_;
  State moved_;  // a state next to the one asked about
  VectorXd own_q_, tangent_;
};

}  // namespace stickslip
