#pragma once

#include "stickslip/systems/system.h"

namespace stickslip {

// A hand that pulls a point of a body to where the user wants it: a critically damped spring, as stiff as the mass that
// the point shows asks for. What it holds stands in its states, so that a saved state holds it too.
class DragSpring final : public System {
 public:
  DragSpring() : System("drag") {}

  VectorXd initial(const Model&) const override { return VectorXd::Zero(kStates); }
  bool implicit() const override { return false; }
  std::unique_ptr<Scratch> make_scratch(const Model&) const override;
  void output(const SystemInput& input, Scratch* scratch, VectorXd& tau) const override;
  bool jacobians(const SystemInput&, Scratch*, SystemJacobians&) const override { return true; }  // none

  // What its states are while it holds a point (body's frame) of a body, and when it holds nothing.
  static VectorXd holding(const Model& model, const State& state, int body, const Vector3d& point,
                          const Vector3d& target);
  static VectorXd nothing() { return VectorXd::Zero(kStates); }
  // The same with another target.
  static void move(const Vector3d& target, Eigen::Ref<VectorXd> z) { z.segment<3>(kTarget) = target; }

 private:
  enum : Eigen::Index { kMass = 0, kBody = 1, kPoint = 2, kTarget = 5, kStates = 8 };
};

}  // namespace stickslip
