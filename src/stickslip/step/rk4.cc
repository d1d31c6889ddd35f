#include "stickslip/step/rk4.h"

#include "stickslip/state/configuration.h"

namespace stickslip {

std::unique_ptr<Method::Prepared> Rk4::make_prepared() const { return std::make_unique<Preparation>(); }

Status Rk4::slope_at(const State& state, const VectorXd& u, Slope& slope) {
  smooth_.evaluate(model_, state);
  if (Status status = systems_.add(state, smooth_.forces.tau, slope.z); !status.ok()) return status;
  tangent_rate(model_, u, state.v, slope.u);
  return solver_.solve(model_, state, smooth_, 0, slope.v);
}

Status Rk4::prepare(const State& state, double /*h_max*/, Prepared& prepared) {
  auto& preparation = static_cast<Preparation&>(prepared);
  preparation.state = state;
  u_.setZero(model_.nv);
  const Status status = slope_at(state, u_, preparation.first);
  energy_meter_.measure(state, smooth_.kinematics, preparation.energy);
  return status;
}

Status Rk4::advance(const Prepared& prepared, double h, State& next) {
  const auto& preparation = static_cast<const Preparation&>(prepared);
  const State& start = preparation.state;
  constexpr std::array<double, 3> kNodes{0.5, 0.5, 1.0};
  const Slope* previous = &preparation.first;
  stage_ = start;
  u_.resize(model_.nv);
  for (size_t i = 0; i < kNodes.size(); ++i) {
    const double dt = kNodes[i] * h;
    stage_.time = start.time + dt;
    u_ = dt * previous->u;
    stage_.v = start.v + dt * previous->v;
    stage_.z = start.z + dt * previous->z;
    integrate(model_, start.q, u_, stage_.q);
    const Status status = slope_at(stage_, u_, slopes_[i]);
    if (status.code == StatusCode::kNotFinite) {
      const Status finite = check_finite(model_, start, stage_);
      return finite.ok() ? status : finite;
    }
    if (!status.ok()) return {status.code, start.time, status.body, status.message};
    previous = &slopes_[i];
  }
  const Slope& k1 = preparation.first;
  next = start;
  next.time += h;
  next.v += h / 6 * (k1.v + 2 * slopes_[0].v + 2 * slopes_[1].v + slopes_[2].v);
  u_ = h / 6 * (k1.u + 2 * slopes_[0].u + 2 * slopes_[1].u + slopes_[2].u);
  integrate(model_, start.q, u_, next.q);
  next.z += h / 6 * (k1.z + 2 * slopes_[0].z + 2 * slopes_[1].z + slopes_[2].z);
  return systems_.check(check_finite(model_, start, next), start, next);
}

}  // namespace stickslip
