#pragma once

#include <memory>
#include <vector>

#include "stickslip/simulate/simulator.h"

namespace stickslip {

// Kinematics of one configuration; recomputed when the numbers differ, since users write to the state directly.
struct Simulator::QueryCache {
  State state;
  Kinematics kinematics, before_write, after_write;
  bool filled = false;
  std::shared_ptr<const CollisionModel> collision;
  ContactWorkspace contacts;
  ContactSet overlapping;
  ElasticEnergyMeter elastic_energy;
  std::vector<double> reach;
  std::vector<ContactResult> results;  // of the last accepted step
  bool results_read = true;
  VectorXd constraint_forces;  // of the same step

  void forget_results() {
    results.clear();
    constraint_forces.setZero();
    results_read = true;
  }

  bool fits(const State& now) const {
    return filled && state.time == now.time && state.q == now.q && state.v == now.v && state.mocap == now.mocap;
  }
};

}  // namespace stickslip
