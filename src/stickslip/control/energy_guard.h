#pragma once

#include <vector>

#include "stickslip/dynamics/tree_energy.h"
#include "stickslip/icf/step_work.h"
#include "stickslip/step/convex_method.h"

namespace stickslip {

// What came from nothing in one attempt, where that was most against what is allowed.
struct EnergyGain {
  double over = 0;                 // gained over allowed: more than 1 is too much
  double gained = 0, in_play = 0;  // [J]
  int tree = -1;                   // one of those that gained
};

// Whether an attempt makes energy from nothing: more than there was, and was fed, by more than
//
//   share * accuracy * in_play * h/10 ms,   at least a tenth of that of 10 ms
//
// island by island. In play are kinetic and stored energy, and sum of m g r with r the bodies' radii of gyration; the
// share is 0.1 for lone free bodies and 0.01 for trees. At the end only kinetic and potential energy count: what
// springs back there is not known before the next step looks for it, and what a step stores it cannot have made.
class EnergyGuard {
 public:
  EnergyGuard(const Model& model, double accuracy);

  // Of a step.
  const std::vector<TreeEnergy>& begin(const Method& method, const Method::Prepared& start);

  // Of an attempt: islands of each of its solves, then the result. What no solve acted on flies, and gains nothing.
  void forget_islands();
  void join(const std::vector<TreeActivity>& activity);
  EnergyGain measure(double h, const State& next, const StepWork& work);

 private:
  struct Group {
    double gained = 0, in_play = 0, round_off = 0;
    bool is_free = true, is_driven = false;
  };

  int root(int tree) const;
  void unite(int a, int b);

  const Model& model_;
  double accuracy_;
  TreeEnergyMeter meter_;
  std::vector<TreeEnergy> start_;
  std::vector<int> parent_;  // of each tree: another of its group, or itself
  std::vector<char> is_acted_on_;
  std::vector<int> tree_of_island_;
  std::vector<Group> groups_;  // by their root
  Kinematics kinematics_;
};

}  // namespace stickslip
