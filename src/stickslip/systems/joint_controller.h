#pragma once

#include "stickslip/systems/joint_targets.h"
#include "stickslip/systems/system.h"

namespace stickslip {

// Gains and targets: one number for all joints, or one a joint.
struct JointControllerOptions {
  std::vector<std::string> joints = {};  // with one degree of freedom each; empty: all such joints
  VectorXd kp = VectorXd::Zero(1);
  VectorXd kd = VectorXd::Zero(1);
  VectorXd target = VectorXd::Zero(1);           // positions
  VectorXd target_velocity = VectorXd::Zero(1);  // of the target
  VectorXd effort_limit = {};                    // empty: none
  bool implicit = true;
  std::string name = {};  // empty: the controller's own
};

// What controllers of joints share. Targets may be written between steps; like State::ctrl they are inputs, but not
// part of the state.
class JointController : public System {
 public:
  bool implicit() const override { return implicit_; }
  std::vector<int> dofs(const Model&) const override { return dofs_of(places_); }
  VectorXd effort_limit(const Model& model) const override { return limits_of(model, places_, limits_); }

  double resolution() const override { return kInfinity; }  // linear, or smooth

  const VectorXd& target() const { return target_; }
  const VectorXd& target_velocity() const { return target_velocity_; }
  // Copied, not moved: a step in another thread may read what was there.
  void set_target(const VectorXd& target) {
    const VectorXd all = one_a_joint(target, places_.size(), "target");
    target_ = all;
  }
  void set_target_velocity(const VectorXd& velocity) {
    const VectorXd all = one_a_joint(velocity, places_.size(), "target_velocity");
    target_velocity_ = all;
  }

 protected:
  JointController(const Model& model, const JointControllerOptions& options, const char* name)
      : System(options.name.empty() ? name : options.name),
        places_(joint_places(model, options.joints)),
        kp_(one_a_joint(options.kp, places_.size(), "kp")),
        kd_(one_a_joint(options.kd, places_.size(), "kd")),
        target_(one_a_joint(options.target, places_.size(), "target")),
        target_velocity_(one_a_joint(options.target_velocity, places_.size(), "target_velocity")),
        implicit_(options.implicit) {
    if (options.effort_limit.size() > 0) limits_ = one_a_joint(options.effort_limit, places_.size(), "effort_limit");
  }

  int count() const { return static_cast<int>(places_.size()); }
  double error(const SystemInput& input, int i) const { return target_[i] - input.state.q[places_[i].q]; }
  double error_rate(const SystemInput& input, int i) const { return target_velocity_[i] - input.state.v[places_[i].v]; }

  std::vector<JointPlace> places_;
  VectorXd kp_, kd_, target_, target_velocity_, limits_;

 private:
  bool implicit_ = true;
};

}  // namespace stickslip
