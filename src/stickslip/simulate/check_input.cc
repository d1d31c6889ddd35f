#include "stickslip/simulate/check_input.h"

#include <fmt/format.h>

#include <cmath>

namespace stickslip {
namespace {

Status not_finite(const State& state, const std::string& body, const std::string& what, double value) {
  return {StatusCode::kNotFinite, state.time, body,
          fmt::format("{} is {} at t = {} s; it must be a finite number", what, value, state.time)};
}

Status check_motion(const Model& model, const State& state) {
  for (const JointInfo& joint : model.joints) {
    const std::string& body = model.bodies[joint.child].name;
    for (int i = joint.q_start; i < joint.q_start + joint.nq; ++i)
      if (!std::isfinite(state.q[i]))
        return not_finite(state, body, fmt::format("q of joint '{}'", joint.name), state.q[i]);
    for (int i = joint.v_start; i < joint.v_start + joint.nv; ++i)
      if (!std::isfinite(state.v[i]))
        return not_finite(state, body, fmt::format("v of joint '{}'", joint.name), state.v[i]);
  }
  return {};
}

std::string driven_body(const Model& model, const ActuatorInfo& actuator) {
  return actuator.joint >= 0 ? model.bodies[model.joints[actuator.joint].child].name : "";
}

}  // namespace

Status check_input(const Model& model, const State& state) {
  if (!state.q.allFinite() || !state.v.allFinite()) return check_motion(model, state);
  for (Eigen::Index i = 0; i < state.ctrl.size(); ++i) {
    if (std::isfinite(state.ctrl[i])) continue;
    const ActuatorInfo& actuator = model.actuators[static_cast<size_t>(i)];
    return not_finite(state, driven_body(model, actuator), fmt::format("the control of actuator '{}'", actuator.name),
                      state.ctrl[i]);
  }
  for (const BodyInfo& body : model.bodies) {
    if (body.mocap < 0) continue;
    const auto pose = state.mocap.segment<7>(7 * body.mocap);
    if (!pose.allFinite())
      return not_finite(state, body.name, fmt::format("the pose of mocap body '{}'", body.name), pose.sum());
  }
  return {};
}

}  // namespace stickslip
