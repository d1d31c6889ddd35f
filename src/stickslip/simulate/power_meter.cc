#include "stickslip/simulate/power_meter.h"

#include <algorithm>

#include "stickslip/dynamics/forces.h"

namespace stickslip {

PowerMeter::PowerMeter(const Model& model)
    : has_actuators_(!model.actuators.empty()),
      has_damping_(std::any_of(model.links.begin(), model.links.end(), [](const Link& x) { return x.damping != 0; }) ||
                   std::any_of(model.tendons.begin(), model.tendons.end(),
                               [](const TendonInfo& x) { return x.damping != 0; })) {}

void PowerMeter::set_systems(std::shared_ptr<const SystemList> systems) {
  systems_ = systems && !systems->empty() ? std::make_shared<SystemEvaluator>(std::move(systems)) : nullptr;
}

PowerMeter::Power PowerMeter::measure(const Model& model, const State& state) {
  Power power;
  if (has_actuators_) {
    compute_actuation(model, state, tau_, scratch_);
    power.actuators = tau_.dot(state.v);
  }
  if (systems_) {
    tau_.setZero(model.nv);
    if (systems_->evaluate(state, tau_, zdot_).ok()) power.actuators += tau_.dot(state.v);
  }
  if (has_damping_) power.damping = damping_power(model, state);
  return power;
}

double PowerMeter::end_step(const Model& model, const State& state, double h) {
  const Power end = measure(model, state);
  const double actuators = 0.5 * h * (start_.actuators + end.actuators);
  actuator_work_ += actuators;
  damping_work_ += 0.5 * h * (start_.damping + end.damping);
  return actuators;
}

}  // namespace stickslip
