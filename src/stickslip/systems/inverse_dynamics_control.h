#pragma once

#include "stickslip/systems/joint_controller.h"

namespace stickslip {

// Computed torque: tau = M vdot_d + bias,  vdot_d = kp (target - q) + kd (target_velocity - v), at the joints given;
// all other degrees of freedom, such as a floating base, count as not accelerating.        CENIC VII-D1
class InverseDynamicsControl final : public JointController {
 public:
  InverseDynamicsControl(const Model& model, const JointControllerOptions& options)
      : JointController(model, options, "inverse dynamics") {}

  std::unique_ptr<Scratch> make_scratch(const Model& model) const override;
  void output(const SystemInput& input, Scratch* scratch, VectorXd& tau) const override;

  // -M kp and -M kd: the bias is left out, since a step takes the motion's own bias at its start too, and the two
  // cancel.
  bool jacobians(const SystemInput& input, Scratch* scratch, SystemJacobians& out) const override;
};

}  // namespace stickslip
