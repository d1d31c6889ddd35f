#pragma once

#include <cstdint>
#include <vector>

#include "stickslip/model/model.h"
#include "stickslip/state/energy_memory.h"
#include "stickslip/state/grip.h"

namespace stickslip {

// Everything a simulation needs to go on: a value that can be copied, compared, saved and restored.
struct State {
  double time = 0;          // [s]
  VectorXd q;               // nq
  VectorXd v;               // nv
  VectorXd ctrl;            // nu, what the actuators are told
  VectorXd z;               // states of external systems
  VectorXd mocap;           // 7 a mocap body: position, quaternion wxyz
  double step_size = 0;     // memory of the step-size controller; 0: none yet
  std::vector<Grip> grips;  // memory of friction, by geometries; empty for methods without
  EnergyMemory energy;      // of what came from nothing

  bool operator==(const State&) const = default;
};

// The start that the model's file describes.
State initial_state(const Model& model);
void initial_state(const Model& model, State& state);  // into memory that is there already

// The start with a keyframe applied.
State keyframe_state(const Model& model, int keyframe);

std::uint64_t hash(const State& state);

}  // namespace stickslip
