#pragma once

#include "stickslip/state/state.h"

namespace stickslip {

// States between the two ends of a step, for recordings. Where a link's velocities agree with the way it went (a body
// in flight, a joint that swings), its path is the cubic that has both: exact for a parabola. Where they do not (it hit
// something on the way), it is a straight line, which overshoots nothing.
class Interpolator {
 public:
  Interpolator(const Model& model, const State& from, const State& to);
  // Memory of an earlier one is used again.
  void reset(const Model& model, const State& from, const State& to);
  Interpolator() = default;

  // `part` of the step, 0 to 1.
  void at(double part, VectorXd& q, VectorXd& v);

 private:
  const Model* model_ = nullptr;
  const State *from_ = nullptr, *to_ = nullptr;
  double h_ = 0;
  VectorXd way_;          // q1 (-) q0
  VectorXd start_, end_;  // its rates there, times h
  VectorXd displacement_;
  std::vector<char> is_smooth_;  // each link
};

}  // namespace stickslip
