#pragma once

#include <vector>

#include "stickslip/state/state.h"

namespace stickslip {

// x_half (+) s (x_half (-) x_full), tree by tree: s = 1 is of second order where the solves agree.
class Extrapolation {
 public:
  explicit Extrapolation(const Model& model) : model_(model) {}

  // `share`: s of each tree; those with 0 keep what `next` has of them.
  void apply(const State& half, const State& full, const std::vector<double>& share, State& next);

 private:
  const Model& model_;
  VectorXd difference_, q_;
};

}  // namespace stickslip
