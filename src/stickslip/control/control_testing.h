#pragma once

#include <gtest/gtest.h>

#include "stickslip/control/make_stepper.h"
#include "stickslip/state/state.h"

// What the tests of error control share.
namespace stickslip::control_testing {

struct Course {
  State state;
  Status status;
  int steps = 0, rejected = 0;
  StepWork work;
};

// Until the time `end`; `visit(state)` after each step.
template <typename Visit>
Course run(const Model& model, const StepperOptions& options, const State& start, double end, Visit&& visit) {
  const std::unique_ptr<Stepper> stepper = make_stepper(options, model);
  Course out{.state = start};
  State next;
  while (out.state.time < end && out.status.ok()) {
    StepRecord record;
    out.status = stepper->step(out.state, end, next, record);
    out.rejected += record.rejected;
    if (!out.status.ok()) break;
    ++out.steps;
    out.work += record.work;
    std::swap(out.state, next);
    visit(out.state);
  }
  EXPECT_TRUE(out.status.ok()) << out.status.message;
  return out;
}

inline Course run(const Model& model, const StepperOptions& options, const State& start, double end) {
  return run(model, options, start, end, [](const State&) {});
}

}  // namespace stickslip::control_testing
