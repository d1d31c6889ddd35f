#pragma once

#include <array>
#include <string>
#include <vector>

#include "stickslip/control/stepper.h"
#include "stickslip/systems/system_list.h"

namespace stickslip {

// What kept the last few hundred steps of a run from being longer, in words.
class HoldTally {
 public:
  void count(const StepRecord& record, int nv);
  // "held to steps of 1.2 us by joint 'spring' ...", with the last step's size; empty if nothing holds most of them.
  std::string sentence(const Model& model, const SystemList& systems, double h) const;

 private:
  double total_ = 0;
  StepHold last_ = StepHold::kNone;
  int since_last_ = 0;  // steps
  std::array<double, kStepHolds> holds_{};
  std::vector<double> worst_;  // of each index of State::v, where the accuracy holds them
};

// "0.5 ms", "12 us": sizes of steps span many decades.
std::string step_size_words(double h);

}  // namespace stickslip
