#pragma once

#include <vector>

#include "stickslip/dynamics/acceleration.h"
#include "stickslip/dynamics/kinematics.h"
#include "stickslip/dynamics/wrench.h"

namespace stickslip {

// The inertia a link shows to a force on it while the joints below it give way: [f; n] = [A B; B' C] [a; alpha] + [f0;
// n0].
struct ArticulatedInertia {
  Matrix3d A = Matrix3d::Zero();
  Matrix3d B = Matrix3d::Zero();
  Matrix3d C = Matrix3d::Zero();
  Wrench bias;
};

struct ForwardDynamicsWorkspace {
  // What a joint remembers between the inward and the outward sweep. One-dof joints use the first column of U.
  struct JointData {
    Vector3d U_f = Vector3d::Zero(), U_n = Vector3d::Zero();
    double inverse_D = 0, u = 0;
    Vector3d c_a = Vector3d::Zero(), c_alpha = Vector3d::Zero();  // velocity-product acceleration
  };
  std::vector<ArticulatedInertia> inertia;
  std::vector<JointData> joint;
  std::vector<LinkAcceleration> acceleration;
};

// Result of a solve with a mass matrix: the first degree of freedom that has no inertia, if any.
struct SolveStatus {
  int singular_link = -1;
  bool ok() const { return singular_link < 0; }
};

// vdot with (M + diag(extra)) vdot = tau - bias + J' wrenches, in time linear in the number of links (articulated body
// algorithm in world axes). `extra` (nv, in the order of v; may be nullptr) is how a method makes damping implicit: h
// d. `wrenches` (one a link, may be nullptr) are applied forces at the links' origins. Needs poses and velocities.
SolveStatus forward_dynamics(const Model& model, const State& state, const Kinematics& kinematics, const VectorXd& tau,
                             const VectorXd* extra, const std::vector<Wrench>* wrenches, VectorXd& vdot,
                             ForwardDynamicsWorkspace& workspace);

}  // namespace stickslip
