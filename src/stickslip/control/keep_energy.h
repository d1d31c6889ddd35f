#pragma once

#include <array>
#include <vector>

#include "stickslip/control/extrapolate.h"
#include "stickslip/dynamics/kinematics.h"
#include "stickslip/step/convex_method.h"

namespace stickslip {

// How far to extrapolate where nothing gives energy or takes any: as far as leaves it what it was.
//
//   x = x_half (+) s (x_half (-) x_full),   s in [1/2, 3/2] nearest 1 with E(x) = E(x0)
//
// Extrapolation alone loses a little in each step, always the same way: a pendulum 2 % in 100 s at an accuracy of 1e-3.
// Any s of 1 + O(h) is of second order as well.
class EnergyKeeper {
 public:
  explicit EnergyKeeper(const Model& model);

  // `share`: 1 for trees that are extrapolated, 0 for others; afterwards s for those whose islands, which `full` names,
  // none of the three solves saw driven.
  void choose_shares(const State& start, const State& half, const State& full,
                     const std::array<const std::vector<TreeActivity>*, 3>& activity, std::vector<double>& share);

 private:
  bool find_islands(const std::array<const std::vector<TreeActivity>*, 3>& activity, const std::vector<double>& share);
  void measure(const State& state, std::vector<double>& energy);

  const Model& model_;
  Extrapolation extrapolation_;
  std::vector<char> is_conservative_;  // trees, by what they are made of
  std::vector<int> island_;            // of each tree, of those that keep their energy; -1: not one of them
  std::vector<char> is_kept_;          // islands
  std::vector<double> trial_share_;
  State trial_;
  Kinematics kinematics_;
  std::vector<double> before_;                 // of each island
  std::array<std::vector<double>, 3> energy_;  // at s = 1/2, 1, 3/2
};

}  // namespace stickslip
