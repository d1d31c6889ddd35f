#pragma once

#include <span>
#include <string>

#include "stickslip/dynamics/kinematics.h"
#include "stickslip/simulate/energy_meter.h"
#include "stickslip/simulate/sampler.h"

namespace stickslip {

// One picture's worth of numbers.
struct FrameInput {
  const State& state;
  double step_size = 0;
  EnergySample energy = {};
  std::span<const ContactSample> contacts = {};
};

// Writes what the viewer's page draws; the layout is in docs/formats/viewer.md.
class FrameWriter {
 public:
  explicit FrameWriter(const Model& model) : model_(model) {}
  void append(const FrameInput& input, std::string& out);

 private:
  const Model& model_;
  Kinematics kinematics_;
};

// Sum of the magnitudes of the forces [N].
double total_force(std::span<const ContactSample> contacts);

}  // namespace stickslip
