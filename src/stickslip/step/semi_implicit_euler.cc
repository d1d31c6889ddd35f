#include "stickslip/step/semi_implicit_euler.h"

#include "stickslip/state/configuration.h"

namespace stickslip {

std::unique_ptr<Method::Prepared> SemiImplicitEuler::make_prepared() const { return std::make_unique<Preparation>(); }

Status SemiImplicitEuler::prepare(const State& state, double /*h_max*/, Prepared& prepared) {
  auto& preparation = static_cast<Preparation&>(prepared);
  preparation.state = state;
  preparation.smooth.evaluate(model_, state);
  return systems_.add(state, preparation.smooth.forces.tau, preparation.zdot);
}

void SemiImplicitEuler::measure_energy(const Prepared& prepared, std::vector<TreeEnergy>& energy) const {
  const auto& preparation = static_cast<const Preparation&>(prepared);
  energy_meter_.measure(preparation.state, preparation.smooth.kinematics, energy);
}

Status SemiImplicitEuler::advance(const Prepared& prepared, double h, State& next) {
  const auto& preparation = static_cast<const Preparation&>(prepared);
  const State& start = preparation.state;
  const Status status = solver_.solve(model_, start, preparation.smooth, h, vdot_);
  if (!status.ok()) return status;
  add_turning_acceleration(model_, off_center_, preparation.smooth.kinematics, vdot_);
  next = start;
  next.time += h;
  next.v += h * vdot_;
  displacement_.resize(model_.nv);
  displacement_ = h * next.v;
  follow_centers(model_, off_center_, preparation.smooth.kinematics, h, next.v, displacement_, next.v);
  integrate(model_, start.q, displacement_, next.q);
  next.z += h * preparation.zdot;
  return systems_.check(check_finite(model_, start, next), start, next);
}

}  // namespace stickslip
