#pragma once

#include <memory>

#include "stickslip/control/find_surprise.h"
#include "stickslip/control/scheme.h"
#include "stickslip/step/convex_method.h"

namespace stickslip {

// The trapezoid rule between a state and the Euler step from it, which tells its error.   CENIC V-B
//
// Two solves, two geometry queries; second order where forces are smooth. It damps nothing that is stiffer than the
// step can tell, so that steps get short where contacts and constraints are stiff.
class Trapezoid final : public Scheme {
 public:
  Trapezoid(const Model& model, std::unique_ptr<ConvexMethod> method, ErrorNorm norm, double accuracy);

  Status prepare(const State& start, double h_max) override;
  Status attempt(double h, State& next, Attempt& attempt) override;
  Surprise look_for_surprises(double h, State& next, double allowed) override;
  const std::vector<TreeEnergy>& start_energy() override { return energy_guard_.begin(*method_, *start_); }
  EnergyGain measure_gain(double h, const State& next, const StepWork& work) override;
  int order() const override { return 2; }
  Method& method() override { return *method_; }

 private:
  bool keep_predicted(double h, State& next);
  bool turns(size_t tree, double h) const;

  const Model& model_;
  std::unique_ptr<ConvexMethod> method_;
  ErrorNorm norm_;
  EnergyGuard energy_guard_;
  std::vector<TreeActivity> activity_;
  std::unique_ptr<Method::Prepared> start_, end_;  // what was found out about the states there
  State predicted_;
  std::vector<TreeError> errors_;  // of each tree
  std::vector<char> keeps_;        // islands
  VectorXd difference_;
  SurpriseFinder surprise_finder_;
};

}  // namespace stickslip
