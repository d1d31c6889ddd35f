#pragma once

#include "stickslip/control/energy_guard.h"
#include "stickslip/control/error_norm.h"
#include "stickslip/step/method.h"

namespace stickslip {

// What an attempt came to.
struct Attempt {
  ErrorEstimate error;
  double longest = kInfinity;  // a step that can be trusted; shorter than h: the attempt is not to be accepted
  // The attempt was given up, since it would not have been accepted: `error` and `longest` are what was known by then,
  // the state is not to be used.
  bool is_given_up = false;
  // A step that ends just before the first surface is hit that the attempt met; infinite if it met none. What comes
  // before such a hit and what comes after are smooth, each by itself.
  double before_hit = kInfinity;
  StepWork work;
  double overlap = 0;  // as in StepRecord
};

// What an attempt that seemed accurate missed.
struct Surprise {
  double error = 0;          // that it makes, in the norm of the accuracy
  double quiet = kInfinity;  // a step for which nothing that matters was missed
  double work = 0;           // of what does not matter and was added to the result [J]
};

// A way to take a step and to say how far off it may be.
class Scheme {
 public:
  virtual ~Scheme() = default;

  // All that depends on the start alone; attempts with h <= h_max follow.
  virtual Status prepare(const State& start, double h_max) = 0;

  // `next`: the state a time h later.
  virtual Status attempt(double h, State& next, Attempt& attempt) = 0;

  // The same with as little work as gives any estimate at all, for steps that are shorter than need be: ends come early
  // where controllers tick. False: there is no such way.
  virtual bool attempt_cheaply(double /*h*/, State& /*next*/, Attempt& /*attempt*/, Status& /*status*/) {
    return false;
  }

  // What external systems did on the way to `next`, the state that the last attempt left, that it took no note of.
  // Looks no farther than to what errs by more than `allowed`. If there is nothing of that kind the step will be
  // accepted, and `next` is given what it missed: what is too little to matter once would be missed in every step.
  virtual Surprise look_for_surprises(double /*h*/, State& /*next*/, double /*allowed*/) { return {}; }

  // Energy of each tree at the start; none if nobody tells.
  virtual const std::vector<TreeEnergy>& start_energy() {
    static const std::vector<TreeEnergy> kNone;
    return kNone;
  }

  // What came from nothing on the way to `next`, the state that the last attempt left. Needs start_energy().
  virtual EnergyGain measure_gain(double /*h*/, const State& /*next*/, const StepWork& /*work*/) { return {}; }

  // Of the last attempt, as in Stepper.
  virtual void read_contacts(std::vector<ContactResult>& contacts) { method().read_contacts(contacts); }

  virtual int order() const = 0;  // the error grows like h^order
  virtual Method& method() = 0;
};

}  // namespace stickslip
