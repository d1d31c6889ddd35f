#pragma once

#include <memory>

#include "stickslip/control/scheme.h"
#include "stickslip/control/step_size.h"
#include "stickslip/control/stepper.h"

namespace stickslip {

struct ControlOptions {
  double accuracy = 1e-3;
  double max_step = 0.1;      // [s]
  double min_step = 1e-10;    // [s]; a step that cannot be this short stops the simulation
  double initial = 0.1;       // k_init: the first step, of the longest
  bool is_fixed = false;      // steps of max_step, whatever their errors
  bool guards_energy = true;  // attempts that make energy from nothing are refused
};

// Steps as long as the accuracy allows.   CENIC, Algorithm 1
//
// The size of the next step is part of the state. Steps that end early because something else has to happen then say
// nothing about it, unless they turn out too long even so.
class ErrorControl final : public Stepper {
 public:
  ErrorControl(const Model& model, std::unique_ptr<Scheme> scheme, const ControlOptions& options)
      : model_(model), scheme_(std::move(scheme)), options_(options) {}

  Status step(const State& state, double end, State& next, StepRecord& record) override;
  void read_contacts(std::vector<ContactResult>& contacts) override { scheme_->read_contacts(contacts); }
  Method& method() override { return scheme_->method(); }
  double time_step() const override { return options_.max_step; }

 private:
  double wanted_step(const State& state) const;
  double remembered_step(double wanted, double h, double error) const;
  Surprise look_for_surprises(double h, State& next, double allowed);
  void say_what_holds(double wanted, const State& next, const Attempt& attempt, StepRecord& record) const;
  bool take_short_step(double wanted, double h, State& next, StepRecord& record);
  EnergyGain measure_gain(double h, const State& next, const Attempt& attempt);
  // Attempts at one step that gained energy.
  struct EnergyRefusals {
    int count = 0;
    EnergyGain first;
    double first_h = 0;
    bool is_tolerated = false;
  };
  bool is_tolerable(const EnergyRefusals& refusals, const EnergyGain& gain) const;
  Status stop_gaining(const State& state, double h, const EnergyGain& gain) const;
  Status give_up(const State& state, double h, const Status& cause, const Attempt& attempt) const;

  const Model& model_;
  std::unique_ptr<Scheme> scheme_;
  ControlOptions options_;
  StepSizeRule rule_;
};

}  // namespace stickslip
