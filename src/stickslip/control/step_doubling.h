#pragma once

#include <memory>
#include <vector>

#include "stickslip/control/extrapolate.h"
#include "stickslip/control/find_surprise.h"
#include "stickslip/control/keep_energy.h"
#include "stickslip/control/scheme.h"
#include "stickslip/step/convex_method.h"

namespace stickslip {

struct DoublingOptions {
  double accuracy = 1e-3;
  bool extrapolate = true;  // second order where the three solves agree
  bool free_flight = true;  // bodies that nothing touches fly exactly
  bool gives_up = true;     // an attempt that will not be accepted is not carried through
};

// One step of h and two of h/2: their difference tells the error.   CENIC (21)-(24)
//
// Three solves, two geometry queries. As published the two half steps are the result. Where all three solves agree on
// what acts and how (contacts open, sticking or slipping; limits; saturation), the state is a smooth function of h, and
//
//   q = q_half (+) (q_half (-) q_full),   v = 2 v_half - v_full
//
// is second order at no cost. A lone free body that nothing acted on in any of them is moved exactly instead, and its
// error counts as none.
class StepDoubling final : public Scheme {
 public:
  StepDoubling(const Model& model, std::unique_ptr<ConvexMethod> method, ErrorNorm norm,
               const DoublingOptions& options);

  Status prepare(const State& start, double h_max) override;
  Status attempt(double h, State& next, Attempt& attempt) override;

  Surprise look_for_surprises(double h, State& next, double allowed) override;

  const std::vector<TreeEnergy>& start_energy() override { return energy_guard_.begin(*method_, *start_); }
  EnergyGain measure_gain(double h, const State& next, const StepWork& work) override;

  // One solve. Taking v at the start of the step instead of its end would move everything by h |v - v0| less: four
  // times what doubling finds where the acceleration is constant.
  bool attempt_cheaply(double h, State& next, Attempt& attempt, Status& status) override;
  void read_contacts(std::vector<ContactResult>& contacts) override;
  int order() const override { return 2; }
  Method& method() override { return *method_; }

 private:
  Status solve(double h, State& next, Attempt& attempt);
  bool is_hopeless(double h, Attempt& attempt) const;
  void classify_trees(double h, State& next);
  bool flies(int tree, double h, State& next);
  void extrapolate(State& next);

  const Model& model_;
  std::unique_ptr<ConvexMethod> method_;
  ErrorNorm norm_;
  DoublingOptions options_;
  Extrapolation extrapolation_;
  EnergyKeeper energy_keeper_;
  EnergyGuard energy_guard_;
  std::unique_ptr<Method::Prepared> start_, middle_;  // what was found out about the states there
  State start_state_, middle_state_, full_, half_;
  StepWork work_, full_work_;
  double trusted_ = 0;
  std::vector<TreeActivity> full_activity_, first_activity_, second_activity_;
  std::vector<TreeError> errors_;      // of each tree
  std::vector<char> agrees_;           // islands of the full step
  std::vector<char> is_extrapolated_;  // trees
  std::vector<double> share_;          // of the difference, that each is extrapolated by
  VectorXd guess_, full_guess_, difference_;
  bool has_halves_ = false;  // the last attempt was one of three solves
  bool is_extrapolated_z_ = false;
  SurpriseFinder surprise_finder_;
  std::vector<Vector3d> full_forces_, first_forces_;  // of the contacts at the start
  std::vector<ContactResult> start_contacts_;
  std::vector<double> steepest_;  // of each contact's forces in the solves: tangential over normal
};

}  // namespace stickslip
