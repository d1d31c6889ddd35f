#pragma once

#include <array>

#include "stickslip/step/explicit_systems.h"
#include "stickslip/step/method.h"
#include "stickslip/step/smooth_dynamics.h"

namespace stickslip {

// The classical fourth-order Runge-Kutta method, explicit, on the configuration manifold (Munthe-Kaas): stages live in
// the tangent space at the start, q = q0 (+) u with u' = dexp^-1(u) v, so that rotations keep the full order.
class Rk4 final : public Method {
 public:
  explicit Rk4(const Model& model) : model_(model), energy_meter_(model) {}

  std::unique_ptr<Prepared> make_prepared() const override;
  Status prepare(const State& state, double h_max, Prepared& prepared) override;
  Status advance(const Prepared& prepared, double h, State& next) override;
  void measure_energy(const Prepared& prepared, std::vector<TreeEnergy>& energy) const override {
    energy = static_cast<const Preparation&>(prepared).energy;
  }
  void set_systems(std::shared_ptr<const SystemList> systems) override { systems_.set(std::move(systems)); }

 private:
  struct Slope {
    VectorXd u, v, z;  // du/dt, dv/dt and dz/dt
  };
  struct Preparation final : Prepared {
    State state;
    Slope first;
    std::vector<TreeEnergy> energy;
  };

  Status slope_at(const State& state, const VectorXd& u, Slope& slope);

  const Model& model_;
  TreeEnergyMeter energy_meter_;
  SmoothDynamics smooth_;
  ExplicitSystems systems_;
  AccelerationSolver solver_;
  std::array<Slope, 3> slopes_;  // stages 2 to 4
  State stage_;
  VectorXd u_;
};

}  // namespace stickslip
