#pragma once

#include <functional>

#include "stickslip/systems/system.h"

namespace stickslip {

// A system made of functions. z0 says how many states it has.
struct SystemFunctions {
  std::string name = "system";
  std::function<void(const SystemInput&, VectorXd& tau)> output = {};  // adds; none: no force
  std::function<void(const SystemInput&, Eigen::Ref<VectorXd> zdot)> derivative = {};
  VectorXd z0 = {};
  bool implicit = true;
  std::function<void(const SystemInput&, SystemJacobians&)> jacobians = {};  // none: differences
  std::vector<int> dofs = {};                                                // empty: all
  VectorXd effort_limit = {};                                                // nv, or one number for all; empty: none
  double resolution = kDefaultResolution;                                    // [s]
};

class FunctionSystem : public System {
 public:
  explicit FunctionSystem(SystemFunctions functions) : System(functions.name), functions_(std::move(functions)) {}

  VectorXd initial(const Model&) const override { return functions_.z0; }
  bool implicit() const override { return functions_.implicit; }
  std::vector<int> dofs(const Model&) const override { return functions_.dofs; }
  VectorXd effort_limit(const Model& model) const override {
    const VectorXd& limits = functions_.effort_limit;
    return limits.size() == 1 ? VectorXd::Constant(model.nv, limits[0]) : limits;
  }
  double resolution() const override { return functions_.resolution; }
  void output(const SystemInput& input, Scratch*, VectorXd& tau) const override {
    if (functions_.output) functions_.output(input, tau);
  }
  void derivative(const SystemInput& input, Scratch*, Eigen::Ref<VectorXd> zdot) const override {
    if (functions_.derivative) functions_.derivative(input, zdot);
  }
  bool jacobians(const SystemInput& input, Scratch*, SystemJacobians& out) const override {
    if (functions_.jacobians) functions_.jacobians(input, out);
    return static_cast<bool>(functions_.jacobians);
  }

 private:
  SystemFunctions functions_;
};

}  // namespace stickslip
