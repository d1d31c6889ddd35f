#pragma once

#include <vector>

#include "stickslip/dynamics/kinematics.h"
#include "stickslip/icf/contact_terms.h"

namespace stickslip {

// Bodies with prescribed motion that carry others. Over a step they move by the mean of their velocity, not by that of
// its start: what sticks to them, and moves by h times its own velocity, then goes where they go, however long the
// step.
class Carriers {
 public:
  // Adds to the contacts' biases of `problem`, which has problem.h and was built from `contacts`, what the mean
  // velocities have over those of the start.
  void add_mean_motion(const Model& model, const State& start, const Kinematics& kinematics,
                       const ContactTermsList& contacts, Problem& problem);

  // Whether velocities of the last step's carriers are near to linear in time: a longer step would not know what they
  // do on the way.
  bool are_resolved() const { return are_resolved_; }

 private:
  // How a carrier moves over the step, and what its mean angular velocity has over that of the start.
  struct Motion {
    int link = -1;
    LinkPose to_middle, to_end;  // take points from where they are at the start to where they are later, world axes
    Vector3d angular = Vector3d::Zero();
  };
  const Motion& motion_of(const Model& model, const Kinematics& kinematics, double h, int link);

  State middle_, end_;  // the start at later times
  std::vector<Motion> motions_;
  bool are_resolved_ = true;
};

}  // namespace stickslip
