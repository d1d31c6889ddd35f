#include "stickslip/dynamics/forces.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "stickslip/dynamics/energy.h"
#include "stickslip/dynamics/forest_state_testing.h"
#include "stickslip/dynamics/inverse_dynamics.h"
#include "stickslip/dynamics/jacobian.h"

namespace stickslip {
namespace {

using forest_testing::add_body;
using forest_testing::add_joint;
using forest_testing::ForestState;
using forest_testing::Random;

constexpr double kRoundOff = 1e-12;  // sums of a dozen numbers of order 100

AppliedForces applied(const ForestState& forest) {
  AppliedForces forces;
  compute_applied_forces(forest.model, forest.state, forest.kinematics, forces);
  return forces;
}

// A cart on a rail and a hinge: one-dof joints of a model with one actuator or spring.
struct Cart {
  Scene scene;

  Cart() {
    Random random(1);
    add_body(scene, random, "cart");
    Joint& joint = add_joint(scene, random, JointType::kPrismatic, kWorld, "cart");
    joint.name = "rail";
    joint.reference = 0;
  }
  VectorXd force(double q, double v, double control = 0) const {
    const Model model = compile(scene);
    State state = initial_state(model);
    state.q[0] = q;
    state.v[0] = v;
    state.ctrl.setConstant(control);
    Kinematics kinematics;
    compute_poses(model, state, kinematics);
    compute_velocities(model, state, kinematics);
    AppliedForces forces;
    compute_applied_forces(model, state, kinematics, forces);
    return (VectorXd(2) << forces.tau[0], forces.damping[0]).finished();
  }
};

// A joint's spring pulls to its rest and its damper against its velocity.
TEST(Forces, JointSpringAndDamperAreLinear) {
  Cart cart;
  cart.scene.joints[0].stiffness = 100;
  cart.scene.joints[0].spring_reference = 0.2;
  cart.scene.joints[0].damping = 3;
  EXPECT_NEAR(cart.force(0.5, -2)[0], -100 * 0.3 + 6, kRoundOff);
  EXPECT_NEAR(cart.force(0.5, -2)[1], 3, kRoundOff);
}

// A motor's force is its control times the gear; controls and forces stay within their limits.
TEST(Forces, MotorIsLimitedInControlAndForce) {
  Cart cart;
  cart.scene.actuators.push_back({.name = "m", .joint = "rail", .gear = {3, 0, 0, 0, 0, 0}});
  EXPECT_NEAR(cart.force(0.5, 2, 4)[0], 12, kRoundOff);
  EXPECT_EQ(cart.force(0.5, 2, 4)[1], 0);
  cart.scene.actuators[0].control_limits = {-1, 2};
  EXPECT_NEAR(cart.force(0, 0, 4)[0], 6, kRoundOff);
  EXPECT_NEAR(cart.force(0, 0, -4)[0], -3, kRoundOff);
  cart.scene.actuators[0].force_limits = {-0.5, 1};  // at the actuator, before the gear
  EXPECT_NEAR(cart.force(0, 0, 4)[0], 3, kRoundOff);
  EXPECT_NEAR(cart.force(0, 0, -4)[0], -1.5, kRoundOff);
}

// A position actuator is kp (u - l) - kd l' with l = gear q, applied times gear; its damping is gear^2 kd.
TEST(Forces, PositionActuatorIsASpringWithDamping) {
  Cart cart;
  cart.scene.actuators.push_back({.name = "m",
                                  .type = "position",
                                  .joint = "rail",
                                  .gear = {2, 0, 0, 0, 0, 0},
                                  .gain = {50, 0, 0},
                                  .bias = {0, -50, -4}});
  const VectorXd force = cart.force(0.3, -0.7, 0.1);
  EXPECT_NEAR(force[0], 2 * (50 * (0.1 - 0.6) + 4 * 1.4), kRoundOff);
  EXPECT_NEAR(force[1], 2 * 2 * 4, kRoundOff);
  // At its force limit it is a constant force, without damping.
  cart.scene.actuators[0].force_limits = {-5, 5};
  EXPECT_NEAR(cart.force(0.3, -0.7, 0.1)[0], -10, kRoundOff);
  EXPECT_EQ(cart.force(0.3, -0.7, 0.1)[1], 0);
}

// A velocity actuator is kv (u - l').
TEST(Forces, VelocityActuatorPullsToItsSpeed) {
  Cart cart;
  cart.scene.actuators.push_back(
      {.name = "m", .type = "velocity", .joint = "rail", .gain = {5, 0, 0}, .bias = {0, 0, -5}});
  EXPECT_NEAR(cart.force(9, 0.4, 1)[0], 3, kRoundOff);
  EXPECT_NEAR(cart.force(9, 0.4, 1)[1], 5, kRoundOff);
}

// The general actuator is affine in length and speed in both gain and bias.
TEST(Forces, GeneralActuatorIsAffine) {
  const ActuatorInfo actuator{.gear = {1, 0, 0, 0, 0, 0}, .gain = {2, 3, 5}, .bias = {7, 11, 13}};
  const double l = 0.3, s = -0.4, u = 0.6;
  const ActuatorForce force = actuator_force(actuator, l, s, u);
  EXPECT_NEAR(force.force, (2 + 3 * l + 5 * s) * u + 7 + 11 * l + 13 * s, kRoundOff);
  EXPECT_NEAR(force.rate, 5 * u + 13, kRoundOff);
}

// The effort limit of a joint bounds what its actuators apply in sum, but neither its spring nor its damper.
TEST(Forces, EffortLimitBoundsTheSumOfActuators) {
  Cart cart;
  cart.scene.actuators.push_back({.name = "a", .joint = "rail", .gear = {3, 0, 0, 0, 0, 0}});
  cart.scene.actuators.push_back({.name = "b", .joint = "rail", .gear = {2, 0, 0, 0, 0, 0}});
  cart.scene.joints[0].effort_limit = 4;
  cart.scene.joints[0].stiffness = 100;
  EXPECT_NEAR(cart.force(0, 0, 0.5)[0], 2.5, kRoundOff);
  EXPECT_NEAR(cart.force(0, 0, 2)[0], 4, kRoundOff);
  EXPECT_NEAR(cart.force(0, 0, -2)[0], -4, kRoundOff);
  EXPECT_NEAR(cart.force(-1, 0, 2)[0], 104, kRoundOff);
}

// A tendon's spring has no force inside its rest range and pulls back outside; its damper acts everywhere.
TEST(Forces, TendonSpringRestsInsideItsRange) {
  Cart cart;
  cart.scene.tendons.push_back({.name = "t", .terms = {{"rail", 2}}, .stiffness = 10, .spring_rest = {-0.5, 1}});
  EXPECT_EQ(cart.force(0.1, 0)[0], 0);
  EXPECT_NEAR(cart.force(1, 0)[0], -2 * 10 * (2 - 1), kRoundOff);
  EXPECT_NEAR(cart.force(-1, 0)[0], 2 * 10 * (2 - 0.5), kRoundOff);
  cart.scene.tendons[0].damping = 3;
  EXPECT_NEAR(cart.force(0.1, 0.5)[0], -2 * 3 * (2 * 0.5), kRoundOff);
  EXPECT_NEAR(cart.force(0.1, 0.5)[1], 2 * 2 * 3, kRoundOff);
}

// At rest, springs, tendons, gravity and its compensation together are minus the gradient of the potential energy.
TEST(Forces, AtRestAreMinusTheGradientOfPotentialEnergy) {
  for (unsigned seed : {2u, 3u}) {
    ForestState forest(seed, {.prescribed = false, .forces = true});
    forest.scene.actuators.clear();
    forest.model = compile(forest.scene);
    forest.state.ctrl = forest.model.ctrl0;
    forest.state.v.setZero();
    forest.refresh();
    const AppliedForces forces = applied(forest);
    VectorXd total, bias;
    InverseDynamicsWorkspace workspace;
    bias_force(forest.model, forest.state, forest.kinematics, bias, workspace);
    total = forces.tau - bias;
    ASSERT_EQ(forces.wrenches.size(), forest.model.links.size());
    for (size_t i = 0; i < forces.wrenches.size(); ++i) {
      Matrix6Xd J;
      point_jacobian(forest.model, forest.kinematics, static_cast<int>(i), forest.kinematics.pose[i].p, J);
      total += J.topRows<3>().transpose() * forces.wrenches[i].f + J.bottomRows<3>().transpose() * forces.wrenches[i].n;
    }
    constexpr double kStep = 1e-4;
    for (int i = 0; i < forest.model.nv; ++i) {
      const VectorXd dv = kStep * VectorXd::Unit(forest.model.nv, i);
      const auto energy = [&](const VectorXd& at) {
        const ForestState moved = forest.displaced(at);
        return potential_energy(moved.model, moved.state, moved.kinematics);
      };
      // Truncation kStep^2 times 100 J; round-off 1e-13 J/kStep.
      EXPECT_NEAR(total[i], -(energy(dv) - energy(-dv)) / (2 * kStep), 1e-6) << i;
    }
  }
}

// spring_energy alone has the springs' forces as its gradient, rotations and tendons included.
TEST(Forces, SpringForcesAreMinusTheGradientOfSpringEnergy) {
  ForestState forest(4, {.forces = true});
  forest.scene.actuators.clear();
  forest.model = compile(forest.scene);
  forest.state.ctrl = forest.model.ctrl0;
  forest.state.v.setZero();
  forest.refresh();
  const VectorXd tau = applied(forest).tau;
  constexpr double kStep = 1e-5;
  for (int i = 0; i < forest.model.nv; ++i) {
    const VectorXd dv = kStep * VectorXd::Unit(forest.model.nv, i);
    const ForestState before = forest.displaced(-dv), after = forest.displaced(dv);
    const double slope =
        (spring_energy(after.model, after.state) - spring_energy(before.model, before.state)) / (2 * kStep);
    // Truncation kStep^2 times 100 J; round-off 1e-13 J/kStep.
    EXPECT_NEAR(tau[i], -slope, 1e-7) << i;
  }
}

// Damping power is what dampers alone take from the motion: never positive.
TEST(Forces, DampingPowerIsThePowerOfDampers) {
  ForestState forest(5, {.forces = true});
  for (Joint& joint : forest.scene.joints) joint.stiffness = 0;
  for (Tendon& tendon : forest.scene.tendons) tendon.stiffness = 0;
  forest.scene.actuators.clear();
  forest.model = compile(forest.scene);
  forest.state.ctrl = forest.model.ctrl0;
  const double power = damping_power(forest.model, forest.state);
  EXPECT_LT(power, 0);
  EXPECT_NEAR(power, applied(forest).tau.dot(forest.state.v), kRoundOff * std::abs(power));
}

// The reported damping is no less than -d tau/d v as a matrix, so that an implicit step never undershoots it; where
// nothing couples degrees of freedom it is just that. Central differences are exact for an affine function.
TEST(Forces, DampingBoundsTheNegativeSlopeInVelocity) {
  ForestState forest(6, {.forces = true});
  const int nv = forest.model.nv;
  const VectorXd damping = applied(forest).damping;
  EXPECT_GE(damping.minCoeff(), 0);
  MatrixXd slope(nv, nv);
  for (int i = 0; i < nv; ++i) {
    const double v = forest.state.v[i];
    forest.state.v[i] = v - 1;
    slope.col(i) = applied(forest).tau / 2;
    forest.state.v[i] = v + 1;
    slope.col(i) -= applied(forest).tau / 2;  // -d tau/d v
    forest.state.v[i] = v;
  }
  const MatrixXd excess = damping.asDiagonal().toDenseMatrix() - slope;
  const double least = Eigen::SelfAdjointEigenSolver<MatrixXd>(excess).eigenvalues().minCoeff();
  EXPECT_GE(least, -kRoundOff * 100);
  for (int i = 0; i < nv; ++i) {
    const double coupling = slope.col(i).cwiseAbs().sum() - std::abs(slope(i, i));
    if (coupling >= kRoundOff) continue;
    EXPECT_NEAR(damping[i], slope(i, i), kRoundOff * 100) << i;
  }
}

// A body with gravity scale 0 floats: nothing accelerates it.
TEST(Forces, FullGravityCompensationIsWeightlessness) {
  Scene scene;
  Random random(7);
  add_body(scene, random, "balloon").gravity_scale = 0;
  const Model model = compile(scene);
  const State state = initial_state(model);
  Kinematics kinematics;
  compute_poses(model, state, kinematics);
  compute_velocities(model, state, kinematics);
  AppliedForces forces;
  compute_applied_forces(model, state, kinematics, forces);
  VectorXd bias;
  InverseDynamicsWorkspace workspace;
  bias_force(model, state, kinematics, bias, workspace);
  ASSERT_EQ(forces.wrenches.size(), 2u);
  Matrix6Xd J;
  point_jacobian(model, kinematics, 1, kinematics.pose[1].p, J);
  Vector6d wrench;
  wrench << forces.wrenches[1].f, forces.wrenches[1].n;
  EXPECT_LE((forces.tau + J.transpose() * wrench - bias).norm(), kRoundOff * 10);
}

}  // namespace
}  // namespace stickslip
