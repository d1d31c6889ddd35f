#include "stickslip/dynamics/inverse_dynamics.h"

#include <gtest/gtest.h>

#include "stickslip/dynamics/energy.h"
#include "stickslip/dynamics/equations_of_motion.h"
#include "stickslip/dynamics/forest_state_testing.h"
#include "stickslip/dynamics/jacobian.h"
#include "stickslip/dynamics/mass_matrix.h"

namespace stickslip {
namespace {

using forest_testing::ForestState;
using forest_testing::Random;

constexpr double kRoundOff = 1e-12;  // relative; sums over twenty bodies of products of numbers of order 10

VectorXd inverse(const ForestState& forest, const VectorXd* vdot) {
  VectorXd tau;
  InverseDynamicsWorkspace workspace;
  inverse_dynamics(forest.model, forest.state, forest.kinematics, vdot, tau, workspace);
  return tau;
}

MatrixXd mass_matrix(const ForestState& forest) {
  MassMatrix mass(forest.model);
  compute_mass_matrix(forest.model, forest.state, forest.kinematics, mass);
  return dense_mass_matrix(forest.model, forest.kinematics, mass);
}

// Newton and Euler body by body: sum of J' [m (a - g); I alpha + w x I w] with the bias accelerations.
VectorXd bias_from_jacobians(const ForestState& forest) {
  VectorXd bias = VectorXd::Zero(forest.model.nv);
  for (int i = 1; i < forest.body_count(); ++i) {
    const BodyInfo& body = forest.model.bodies[static_cast<size_t>(i)];
    const Vector3d center = forest.center_of_mass(i);
    const LinkAcceleration at =
        point_bias_acceleration(forest.model, forest.state, forest.kinematics, body.link, center);
    const Vector3d w = body_velocity(forest.model, forest.kinematics, i).w;
    const Matrix3d I = forest.world_inertia(i);
    Matrix6Xd J;
    point_jacobian(forest.model, forest.kinematics, body.link, center, J);
    Vector6d force;
    force << body.inertia.mass * (at.a - forest.model.gravity), I * at.alpha + w.cross(I * w);
    bias += J.transpose() * force;
  }
  return bias;
}

// The recursive algorithm equals Newton's and Euler's equations written down for each body.
TEST(InverseDynamics, BiasEqualsTheSumOverBodies) {
  for (unsigned seed : {1u, 2u, 3u}) {
    const ForestState forest(seed);
    const VectorXd expected = bias_from_jacobians(forest);
    EXPECT_LE((inverse(forest, nullptr) - expected).norm(), kRoundOff * expected.norm());
  }
}

// tau is affine in vdot: its slope is the mass matrix, its value at vdot = 0 the bias.
TEST(InverseDynamics, IsAffineInAccelerationWithTheMassMatrixAsSlope) {
  for (unsigned seed : {4u, 5u}) {
    const ForestState forest(seed);
    Random random(seed);
    const VectorXd vdot = random.vector_of(forest.model.nv, 5), zero = VectorXd::Zero(forest.model.nv);
    const VectorXd expected = mass_matrix(forest) * vdot + inverse(forest, nullptr);
    EXPECT_LE((inverse(forest, &vdot) - expected).norm(), kRoundOff * expected.norm());
    EXPECT_LE((inverse(forest, &zero) - inverse(forest, nullptr)).norm(), kRoundOff * expected.norm());
  }
}

// At rest the bias is the gradient of the potential energy of gravity.
TEST(InverseDynamics, BiasAtRestIsTheGradientOfPotentialEnergy) {
  ForestState forest(6, {.prescribed = false});
  forest.state.v.setZero();
  forest.refresh();
  const VectorXd bias = inverse(forest, nullptr);
  constexpr double kStep = 1e-4;
  for (int i = 0; i < forest.model.nv; ++i) {
    const VectorXd dv = kStep * VectorXd::Unit(forest.model.nv, i);
    const auto energy = [&](const VectorXd& at) {
      const ForestState moved = forest.displaced(at);
      return potential_energy(moved.model, moved.state, moved.kinematics);
    };
    // Truncation kStep^2 times 100 J; round-off 1e-14 * 1000 J / kStep.
    EXPECT_NEAR(bias[i], (energy(dv) - energy(-dv)) / (2 * kStep), 1e-6) << i;
  }
}

// What the velocity-dependent part of the bias takes from the motion, it gives to the change of M:
// d/dt (1/2 v'M v) = v'M vdot + 1/2 v'Mdot v, and v'(bias - gravity part) = 1/2 v'Mdot v.
TEST(InverseDynamics, CoriolisForcesDoNoWork) {
  ForestState forest(7, {.prescribed = false});
  const VectorXd v = forest.state.v;
  constexpr double kStep = 1e-5;
  const MatrixXd M_rate = (mass_matrix(forest.moved(kStep)) - mass_matrix(forest.moved(-kStep))) / (2 * kStep);
  const VectorXd bias = inverse(forest, nullptr);
  forest.state.v.setZero();
  forest.refresh();
  const VectorXd gravity = inverse(forest, nullptr);
  // Truncation kStep^2 times third derivatives of order 1000; round-off 1e-13/kStep.
  EXPECT_NEAR(v.dot(bias - gravity), 0.5 * v.dot(M_rate * v), 1e-6);
}

// One pass over everything gives the same bits as its stages one by one.
TEST(EquationsOfMotion, EqualItsStagesBitForBit) {
  const ForestState forest(8);
  EquationsOfMotion all(forest.model);
  compute_equations_of_motion(forest.model, forest.state, all);
  EXPECT_EQ(all.bias, inverse(forest, nullptr));
  EXPECT_EQ(dense_mass_matrix(forest.model, all.kinematics, all.mass), mass_matrix(forest));
  for (size_t i = 0; i < forest.model.links.size(); ++i) {
    EXPECT_EQ(all.kinematics.pose[i].R, forest.kinematics.pose[i].R) << i;
    EXPECT_EQ(all.kinematics.pose[i].p, forest.kinematics.pose[i].p) << i;
    EXPECT_EQ(all.kinematics.velocity[i].v, forest.kinematics.velocity[i].v) << i;
    EXPECT_EQ(all.kinematics.velocity[i].w, forest.kinematics.velocity[i].w) << i;
  }
  // A second call into the same memory changes nothing.
  const VectorXd bias = all.bias;
  compute_equations_of_motion(forest.model, forest.state, all);
  EXPECT_EQ(all.bias, bias);
}

// Ten kilometres from the origin M and the bias keep their accuracy: nothing large is subtracted.
TEST(EquationsOfMotion, KeepTheirAccuracyFarFromTheOrigin) {
  const Vector3d origin(1e4, -1e4, 5e3);
  const ForestState near(9);
  ForestState far(9, {.origin = origin});
  far.state = near.state;
  far.state.mocap.head<3>() += origin;
  for (int i = 0; i < 5; ++i) {
    const int joint = far.model.find_joint("free" + std::to_string(i));
    far.state.q.segment<3>(far.model.joints[static_cast<size_t>(joint)].q_start) += origin;
  }
  far.refresh();
  // Positions are stored to 1e4 * 1e-16 = 1e-12 m; forming |p|^2 ~ 1e8 would leave 1e-8.
  constexpr double kTolerance = 2e-11;
  const MatrixXd M = mass_matrix(near);
  EXPECT_LE((mass_matrix(far) - M).cwiseAbs().maxCoeff(), kTolerance * M.cwiseAbs().maxCoeff());
  const VectorXd bias = inverse(near, nullptr);
  EXPECT_LE((inverse(far, nullptr) - bias).cwiseAbs().maxCoeff(), kTolerance * bias.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace stickslip
