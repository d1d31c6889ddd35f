#include "stickslip/simulate/energy_meter.h"

#include "stickslip/dynamics/energy.h"
#include "stickslip/icf/elastic_energy.h"

namespace stickslip {

EnergyMeter::EnergyMeter(std::shared_ptr<const Model> model, bool acts_on_contact) : model_(std::move(model)) {
  if (!acts_on_contact) return;
  collision_ = std::make_unique<const CollisionModel>(make_collision_model(*model_));
  reach_.assign(collision_->geometries.size(), 0.0);
}

EnergySample EnergyMeter::measure(const State& state, double friction_energy) {
  compute_poses(*model_, state, kinematics_);
  compute_velocities(*model_, state, kinematics_);
  EnergySample out{.kinetic = kinetic_energy(*model_, state, kinematics_),
                   .potential = potential_energy(*model_, state, kinematics_)};
  if (!collision_) return out;
  find_contacts(*collision_, kinematics_, reach_, contacts_, workspace_);
  out.elastic = ElasticEnergyMeter().measure(*collision_, kinematics_, contacts_, {}).normal + friction_energy;
  return out;
}

}  // namespace stickslip
