#include "stickslip/dynamics/forward_dynamics.h"

#include <gtest/gtest.h>

#include "stickslip/dynamics/forest_state_testing.h"
#include "stickslip/dynamics/inverse_dynamics.h"
#include "stickslip/dynamics/jacobian.h"

namespace stickslip {
namespace {

using forest_testing::ForestState;
using forest_testing::Random;

constexpr double kTolerance = 1e-10;  // relative: round-off times the condition number of M, which is about 1e4

VectorXd inverse(const ForestState& forest, const VectorXd& vdot) {
  VectorXd tau;
  InverseDynamicsWorkspace workspace;
  inverse_dynamics(forest.model, forest.state, forest.kinematics, &vdot, tau, workspace);
  return tau;
}

VectorXd forward(const ForestState& forest, const VectorXd& tau, const VectorXd* extra = nullptr,
                 const std::vector<Wrench>* wrenches = nullptr) {
  VectorXd vdot;
  ForwardDynamicsWorkspace workspace;
  const SolveStatus status =
      forward_dynamics(forest.model, forest.state, forest.kinematics, tau, extra, wrenches, vdot, workspace);
  EXPECT_TRUE(status.ok());
  return vdot;
}

// The accelerations that inverse dynamics turned into forces come back.
TEST(ForwardDynamics, InvertsInverseDynamics) {
  for (unsigned seed : {1u, 2u, 3u, 4u}) {
    const ForestState forest(seed);
    Random random(seed);
    const VectorXd vdot = random.vector_of(forest.model.nv, 10);
    EXPECT_LE((forward(forest, inverse(forest, vdot)) - vdot).norm(), kTolerance * vdot.norm());
  }
}

// (M + diag(extra)) vdot = tau - bias: the extra diagonal acts like armature in the solve.
TEST(ForwardDynamics, ExtraDiagonalAddsToTheMassMatrix) {
  const ForestState forest(5);
  Random random(5);
  const VectorXd vdot = random.vector_of(forest.model.nv, 10);
  const VectorXd extra = random.vector_of(forest.model.nv).cwiseAbs();
  const VectorXd tau = inverse(forest, vdot) + extra.cwiseProduct(vdot);
  EXPECT_LE((forward(forest, tau, &extra) - vdot).norm(), kTolerance * vdot.norm());
}

// An enormous extra diagonal holds its degree of freedom still without harm to the others.
TEST(ForwardDynamics, EnormousExtraDiagonalIsALock) {
  const ForestState forest(6);
  const VectorXd extra = VectorXd::Constant(forest.model.nv, 1e12);
  const VectorXd vdot = forward(forest, VectorXd::Zero(forest.model.nv), &extra);
  // Forces are of order 1e3.
  EXPECT_LE(vdot.cwiseAbs().maxCoeff(), 1e-8);
}

// Wrenches on links are the generalised forces J'w.
TEST(ForwardDynamics, WrenchesEqualTheirGeneralizedForces) {
  const ForestState forest(7);
  Random random(7);
  const VectorXd tau = random.vector_of(forest.model.nv, 10);
  std::vector<Wrench> wrenches(forest.model.links.size());
  VectorXd generalized = tau;
  for (size_t i = 0; i < wrenches.size(); ++i) {
    wrenches[i] = {random.vector(10), random.vector(10)};
    Matrix6Xd J;
    point_jacobian(forest.model, forest.kinematics, static_cast<int>(i), forest.kinematics.pose[i].p, J);
    generalized += J.topRows<3>().transpose() * wrenches[i].f + J.bottomRows<3>().transpose() * wrenches[i].n;
  }
  const VectorXd expected = forward(forest, generalized);
  EXPECT_LE((forward(forest, tau, nullptr, &wrenches) - expected).norm(), kTolerance * expected.norm());
}

// Ten kilometres from the origin the solve is as accurate as near it.
TEST(ForwardDynamics, KeepsItsAccuracyFarFromTheOrigin) {
  ForestState forest(8, {.origin = {1e4, -1e4, 5e3}});
  for (int i = 0; i < 5; ++i) {
    const int joint = forest.model.find_joint("free" + std::to_string(i));
    forest.state.q.segment<3>(forest.model.joints[static_cast<size_t>(joint)].q_start).array() += 1e4;
  }
  forest.refresh();
  Random random(8);
  const VectorXd vdot = random.vector_of(forest.model.nv, 10);
  EXPECT_LE((forward(forest, inverse(forest, vdot)) - vdot).norm(), kTolerance * vdot.norm());
}

// The workspace is scratch: what an earlier, different solve left in it does not change a bit.
TEST(ForwardDynamics, WorkspaceDoesNotChangeTheResult) {
  const ForestState first(9), second(10);
  ForwardDynamicsWorkspace workspace;
  VectorXd vdot;
  const VectorXd tau = VectorXd::Constant(first.model.nv, 0.5);
  const VectorXd extra = VectorXd::Constant(first.model.nv, 2);
  forward_dynamics(first.model, first.state, first.kinematics, tau, &extra, nullptr, vdot, workspace);
  forward_dynamics(second.model, second.state, second.kinematics, tau, nullptr, nullptr, vdot, workspace);
  EXPECT_EQ(vdot, forward(second, tau));
}

// A degree of freedom that moves no mass is reported by its link, for every kind of joint.
TEST(ForwardDynamics, MasslessJointIsReported) {
  using enum JointType;
  for (JointType type : {kFree, kBall, kRevolute, kPrismatic, kScrew, kPlanar, kUniversal}) {
    Scene scene;
    Random random(11);
    forest_testing::add_body(scene, random, "arm");
    forest_testing::add_joint(scene, random, kRevolute, kWorld, "arm");
    forest_testing::add_body(scene, random, "ghost").inertia = {};
    forest_testing::add_joint(scene, random, type, "arm", "ghost");
    const Model model = compile(scene);
    const State state = initial_state(model);
    Kinematics kinematics;
    compute_poses(model, state, kinematics);
    compute_velocities(model, state, kinematics);
    VectorXd vdot;
    ForwardDynamicsWorkspace workspace;
    const SolveStatus status =
        forward_dynamics(model, state, kinematics, VectorXd::Zero(model.nv), nullptr, nullptr, vdot, workspace);
    ASSERT_FALSE(status.ok()) << joint_type_name(type);
    EXPECT_EQ(model.links[static_cast<size_t>(status.singular_link)].joint, model.find_joint("ghost_joint"));
  }
}

}  // namespace
}  // namespace stickslip
