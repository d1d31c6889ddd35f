#pragma once

#include <memory>
#include <vector>

#include "stickslip/dynamics/kinematics.h"
#include "stickslip/geometry/find_contacts.h"
#include "stickslip/state/state.h"

namespace stickslip {

// Of one state [J].
struct EnergySample {
  double kinetic = 0;
  double potential = 0;  // of gravity and springs
  double elastic = 0;    // in compressed surfaces and in the springs of friction
};

// Of many.
struct Energies {
  std::vector<double> kinetic, potential, elastic;

  void add(const EnergySample& energy) {
    kinetic.push_back(energy.kinetic);
    potential.push_back(energy.potential);
    elastic.push_back(energy.elastic);
  }
};

// Energies of states, with memory of its own.
class EnergyMeter {
 public:
  EnergyMeter(std::shared_ptr<const Model> model, bool acts_on_contact);
  EnergySample measure(const State& state, double friction_energy);

 private:
  std::shared_ptr<const Model> model_;
  std::unique_ptr<const CollisionModel> collision_;  // none: surfaces store nothing
  std::vector<double> reach_;
  Kinematics kinematics_;
  ContactSet contacts_;
  ContactWorkspace workspace_;
};

}  // namespace stickslip
