#pragma once

#include <memory>

#include "stickslip/systems/evaluate_systems.h"

namespace stickslip {

// Work of actuators, external systems and dampers by the trapezoidal rule over each step. Free for models that have
// none.
class PowerMeter {
 public:
  explicit PowerMeter(const Model& model);

  void set_systems(std::shared_ptr<const SystemList> systems);
  void restart() { actuator_work_ = damping_work_ = 0; }
  void start_step(const Model& model, const State& state) { start_ = measure(model, state); }
  // Returns the work of actuators and external systems over the step.
  double end_step(const Model& model, const State& state, double h);
  double actuator_work() const { return actuator_work_; }
  double damping_work() const { return damping_work_; }

 private:
  struct Power {
    double actuators = 0, damping = 0;
  };
  Power measure(const Model& model, const State& state);

  std::shared_ptr<SystemEvaluator> systems_;  // none: nullptr
  bool has_actuators_ = false, has_damping_ = false;
  Power start_;
  double actuator_work_ = 0, damping_work_ = 0;
  VectorXd tau_, scratch_, zdot_;
};

}  // namespace stickslip
