#pragma once

#include "stickslip/systems/joint_controller.h"

namespace stickslip {

// tau = kp e + ki z + kd e',  z' = e,  e = target - q, joint by joint.
class JointPID final : public JointController {
 public:
  JointPID(const Model& model, const JointControllerOptions& options, const VectorXd& ki)
      : JointController(model, options, "joint PID"), ki_(one_a_joint(ki, places_.size(), "ki")) {}

  VectorXd initial(const Model&) const override { return VectorXd::Zero(count()); }
  void output(const SystemInput& input, Scratch*, VectorXd& tau) const override {
    for (int i = 0; i < count(); ++i)
      tau[places_[i].v] += kp_[i] * error(input, i) + ki_[i] * input.z[i] + kd_[i] * error_rate(input, i);
  }
  void derivative(const SystemInput& input, Scratch*, Eigen::Ref<VectorXd> zdot) const override {
    for (int i = 0; i < count(); ++i) zdot[i] = error(input, i);
  }
  bool jacobians(const SystemInput&, Scratch*, SystemJacobians& out) const override {
    out.g_q.diagonal() = -kp_;
    out.g_v.diagonal() = -kd_;
    out.g_z.diagonal() = ki_;
    out.h_q.diagonal().setConstant(-1);
    return true;
  }

 private:
  VectorXd ki_;
};

}  // namespace stickslip
