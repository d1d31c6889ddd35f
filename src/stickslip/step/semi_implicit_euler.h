#pragma once

#include "stickslip/step/centers_of_mass.h"
#include "stickslip/step/explicit_systems.h"
#include "stickslip/step/method.h"
#include "stickslip/step/smooth_dynamics.h"

namespace stickslip {

// (M + h D) (v1 - v0) = h (tau - bias),  q1 = q0 (+) h v1: first order, symplectic without damping. Joint and actuator
// damping D is implicit, so that it is stable at any step. Of lone free bodies the velocity is that of the centre of
// mass.
class SemiImplicitEuler final : public Method {
 public:
  explicit SemiImplicitEuler(const Model& model)
      : model_(model), off_center_(find_off_center_links(model)), energy_meter_(model) {}

  std::unique_ptr<Prepared> make_prepared() const override;
  Status prepare(const State& state, double h_max, Prepared& prepared) override;
  Status advance(const Prepared& prepared, double h, State& next) override;
  void measure_energy(const Prepared& prepared, std::vector<TreeEnergy>& energy) const override;
  void set_systems(std::shared_ptr<const SystemList> systems) override { systems_.set(std::move(systems)); }

 private:
  struct Preparation final : Prepared {
    State state;
    SmoothDynamics smooth;
    VectorXd zdot;
  };

  const Model& model_;
  std::vector<int> off_center_;  // links
  TreeEnergyMeter energy_meter_;
  ExplicitSystems systems_;
  AccelerationSolver solver_;
  VectorXd vdot_, displacement_;
};

}  // namespace stickslip
