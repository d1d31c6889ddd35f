#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stickslip/control/make_stepper.h"
#include "stickslip/scene/yaml.h"

// What the tests of error control share.
namespace stickslip::control_testing {

inline Model model_of(const std::string& yaml) { return compile(read_yaml_string(yaml, ".")); }

// A box that tumbles freely; no contact anywhere.
inline Model tumbling_box() {
  return model_of(R"(
bodies:
  - {name: box, mass: 1, inertia: {ixx: 0.0375, iyy: 0.090833333333333, izz: 0.113333333333333},
     velocity: {linear: [1, 2, 10], angular: [0.05, 5, 0.05]}}
)");
}

// A ball above a rigid floor; `dissipation` 0 makes it bounce for ever.
inline Model ball_on_floor(double height, double stiffness, double dissipation, double speed = 0) {
  std::string text = R"(
materials:
  soft: {stiffness: STIFFNESS, dissipation: DISSIPATION, friction: 0.5}
  rigid: {stiffness: .inf, dissipation: 0, friction: 0.5}
bodies:
  - {name: ball, mass: 0.1, inertia: {ixx: 1.0e-4, iyy: 1.0e-4, izz: 1.0e-4}, pose: {position: [0, 0, HEIGHT]},
     velocity: {linear: [SPEED, 0, 0]}, geometry: [{sphere: {radius: 0.05}, material: soft}]}
  - {name: floor, fixed: true, geometry: [{half_space: {}, material: rigid}]}
)";
  const auto put = [&](const std::string& key, double value) {
    text.replace(text.find(key), key.size(), std::to_string(value));
  };
  put("STIFFNESS", stiffness);
  put("DISSIPATION", dissipation);
  put("HEIGHT", height);
  put("SPEED", speed);
  return model_of(text);
}

struct Run {
  State state;
  Status status;
  int steps = 0, rejected = 0;
  double shortest = kInfinity;
  StepWork work;
};

// Accepted steps until `end`; `visit(state)` after each.
template <typename Visit>
Run run(const Model& model, const StepperOptions& options, double end, const State& start, Visit&& visit) {
  const std::unique_ptr<Stepper> stepper = make_stepper(options, model);
  Run out{start};
  State next;
  while (out.state.time < end) {
    StepRecord record;
    out.status = stepper->step(out.state, end, next, record);
    out.rejected += record.rejected;
    if (!out.status.ok()) return out;
    ++out.steps;
    out.work += record.work;
    out.shortest = std::min(out.shortest, record.h);
    out.state = next;
    if (record.h == end - (out.state.time - record.h)) out.state.time = end;
    visit(out.state);
  }
  return out;
}

inline Run run(const Model& model, const StepperOptions& options, double end, const State* start = nullptr) {
  return run(model, options, end, start ? *start : initial_state(model), [](const State&) {});
}

}  // namespace stickslip::control_testing
