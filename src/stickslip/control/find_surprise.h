#pragma once

#include <vector>

#include "stickslip/control/scheme.h"
#include "stickslip/step/convex_method.h"

namespace stickslip {

// An accurate step whose result may have missed something.
struct WatchedStep {
  const Method::Prepared* start = nullptr;
  const Method::Prepared* middle = nullptr;         // null: one solve found the result
  const std::vector<char>* extrapolated = nullptr;  // trees whose result the full step took part in; null: none
  bool extrapolated_z = false;                      // and the states of external systems
  double h = 0;
};

// Looks for what external systems did within a step, as Scheme::look_for_surprises says.
//
// What the result is given is the impulse that was missed, through the inverse of the mass matrix with feedback, as a
// velocity at the step's end, and where it led by then. Contacts, limits and constraints answer in the next step; trees
// that they act on are not moved, so that nothing is pushed into what holds it.
class SurpriseFinder {
 public:
  SurpriseFinder(const Model& model, const ErrorNorm& norm);

  // Before the solves of a step; then after each that the result is made of.
  void begin_step();
  void note_activity(const std::vector<TreeActivity>& activity);

  Surprise find(ConvexMethod& method, const WatchedStep& step, double allowed, State& next);

 private:
  void forget(const MissedMotion& missed);
  void keep(const MissedMotion& missed, const WatchedStep& step);
  double add_to(State& next);

  const Model& model_;
  const ErrorNorm& norm_;
  std::vector<char> is_held_;  // trees
  bool found_ = false;
  VectorXd impulse_, v_, dq_, z_;  // that are missing
  VectorXd end_q_;
};

}  // namespace stickslip
