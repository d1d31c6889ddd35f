#pragma once

#include "stickslip/systems/joint_targets.h"
#include "stickslip/systems/system.h"

namespace stickslip {

// Holds joints against gravity: tau = bias(q, v = 0) at the joints given. Explicit: a step takes gravity at its start,
// and this cancels it exactly.
class GravityCompensation final : public System {
 public:
  // `joints` with one degree of freedom each; empty: all such joints.
  explicit GravityCompensation(const Model& model, const std::vector<std::string>& joints = {},
                               std::string name = "gravity compensation")
      : System(std::move(name)), places_(joint_places(model, joints)) {}

  bool implicit() const override { return false; }
  double resolution() const override { return kInfinity; }  // smooth
  std::vector<int> dofs(const Model&) const override { return dofs_of(places_); }
  std::unique_ptr<Scratch> make_scratch(const Model&) const override;
  void output(const SystemInput& input, Scratch* scratch, VectorXd& tau) const override;

 private:
  std::vector<JointPlace> places_;
};

}  // namespace stickslip
