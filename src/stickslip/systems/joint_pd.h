#pragma once

#include "stickslip/systems/joint_controller.h"

namespace stickslip {

// tau = kp (target - q) + kd (target_velocity - v), joint by joint.
class JointPD final : public JointController {
 public:
  JointPD(const Model& model, const JointControllerOptions& options) : JointController(model, options, "joint PD") {}

  void output(const SystemInput& input, Scratch*, VectorXd& tau) const override {
    for (int i = 0; i < count(); ++i) tau[places_[i].v] += kp_[i] * error(input, i) + kd_[i] * error_rate(input, i);
  }
  bool jacobians(const SystemInput&, Scratch*, SystemJacobians& out) const override {
    out.g_q.diagonal() = -kp_;
    out.g_v.diagonal() = -kd_;
    return true;
  }
};

}  // namespace stickslip
