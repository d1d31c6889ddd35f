#pragma once

#include "stickslip/control/stepper.h"

namespace stickslip {

class Simulator;

struct AcceptedStep {
  const State& after;        // the simulator's state now, but for inputs written meanwhile
  double target;             // time that the step was not to pass; infinity if none
  const StepRecord& record;  // size, error
};

// Watches a simulator, for recordings and the like. It must not change the simulation.
class StepObserver {
 public:
  virtual ~StepObserver() = default;

  // Its state is the one that the step begins at, with what the user wrote since the last.
  virtual void before_step(const Simulator& simulator) = 0;
  // After each accepted step. A status that is not ok stops the run there.
  virtual Status on_step(const Simulator& simulator, const AcceptedStep& step) = 0;
  // No step follows for now: the time asked for is reached, or something stopped it.
  virtual void on_pause(const Simulator&) {}
  // The simulator goes away: its last words.
  virtual void on_end(const Simulator& simulator) = 0;
  virtual bool is_done() const { return false; }  // it need not be told of anything more
};

}  // namespace stickslip
