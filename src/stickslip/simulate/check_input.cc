#include "stickslip/simulate/check_input.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "stickslip/model/bounds.h"

namespace stickslip {
namespace {

std::string driven_body(const Model& model, const ActuatorInfo& actuator) {
  return actuator.joint >= 0 ? model.bodies[model.joints[actuator.joint].child].name : "";
}

std::optional<BadNumber> find_bad_control(const Model& model, const VectorXd& ctrl) {
  if (ctrl.allFinite()) return {};
  for (Eigen::Index i = 0; i < ctrl.size(); ++i) {
    if (std::isfinite(ctrl[i])) continue;
    const ActuatorInfo& actuator = model.actuators[static_cast<size_t>(i)];
    return BadNumber{"bad-value",
                     driven_body(model, actuator),
                     {},
                     fmt::format("the control of actuator '{}' is {}", actuator.name, ctrl[i]),
                     "it must be a finite number"};
  }
  return {};
}

std::optional<BadNumber> find_bad_number(const Model& model, const State& state) {
  if (auto bad = find_bad_time(state.time)) return bad;
  if (auto bad = find_bad_position(model, state.q)) return bad;
  if (auto bad = find_bad_velocity(model, state.v)) return bad;
  return find_bad_mocap(model, state.mocap);
}

}  // namespace

Status check_input(const Model& model, const State& state, const State& last) {
  const bool is_written = state.time != last.time || state.q != last.q || state.v != last.v;
  std::optional<BadNumber> bad;
  if (is_written) bad = find_bad_time(state.time);
  if (!bad && is_written) bad = find_bad_position(model, state.q);
  if (!bad && is_written) bad = find_bad_velocity(model, state.v);
  if (!bad && state.mocap.size() > 0) bad = find_bad_mocap(model, state.mocap);
  if (!bad) bad = find_bad_control(model, state.ctrl);
  if (!bad) return {};
  return {StatusCode::kNotFinite, state.time, bad->body,
          fmt::format("{} at t = {} s; {}", bad->message, state.time, bad->fix)};
}

// A step's quaternions are unit.
Status check_result(const Model& model, const State& state, const State& next) {
  const auto is_within = [](const VectorXd& x) { return (x.array().abs() <= kLargestMotion).all(); };
  if (is_within(next.q) && is_within(next.v)) return {};
  std::optional<BadNumber> bad = find_bad_position(model, next.q);
  if (!bad) bad = find_bad_velocity(model, next.v);
  if (!bad) return {};
  return {StatusCode::kNotFinite, state.time, bad->body,
          fmt::format("{} after a step from t = {} s; {}: look for extreme forces, masses and stiffnesses, or shorten "
                      "the step",
                      bad->message, state.time, bad->fix)};
}

bool is_state(const Model& model, const State& state) { return !find_bad_number(model, state); }

void require_state(const Model& model, const State& state) {
  if (const auto bad = find_bad_number(model, state)) throw std::invalid_argument(bad->message + "; " + bad->fix);
}

}  // namespace stickslip
