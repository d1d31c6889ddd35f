#include "stickslip/dynamics/mass_matrix.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "stickslip/dynamics/energy.h"
#include "stickslip/dynamics/forest_state_testing.h"
#include "stickslip/dynamics/jacobian.h"

namespace stickslip {
namespace {

using forest_testing::armature;
using forest_testing::ForestState;

constexpr double kRoundOff = 1e-12;  // sums over twenty bodies of products of numbers of order 10

MatrixXd mass_matrix(const ForestState& forest) {
  MassMatrix mass(forest.model);
  compute_mass_matrix(forest.model, forest.state, forest.kinematics, mass);
  return dense_mass_matrix(forest.model, forest.kinematics, mass);
}

// sum over bodies of J' diag(m 1, I) J at the centres of mass: kinetic energy written down body by body.
MatrixXd mass_matrix_from_jacobians(const ForestState& forest) {
  MatrixXd M = armature(forest.model).asDiagonal();
  for (int i = 1; i < forest.body_count(); ++i) {
    const BodyInfo& body = forest.model.bodies[static_cast<size_t>(i)];
    Matrix6Xd J;
    point_jacobian(forest.model, forest.kinematics, body.link, forest.center_of_mass(i), J);
    M += body.inertia.mass * J.topRows<3>().transpose() * J.topRows<3>();
    M += J.bottomRows<3>().transpose() * forest.world_inertia(i) * J.bottomRows<3>();
  }
  return M;
}

// The composite rigid body algorithm equals the sum over bodies, for every joint kind.
TEST(MassMatrix, EqualsTheSumOverBodiesOfJacobians) {
  for (unsigned seed : {1u, 2u, 3u}) {
    const ForestState forest(seed);
    const MatrixXd M = mass_matrix(forest), expected = mass_matrix_from_jacobians(forest);
    EXPECT_LE((M - expected).cwiseAbs().maxCoeff(), kRoundOff * expected.cwiseAbs().maxCoeff());
  }
}

// M is symmetric and positive definite.
TEST(MassMatrix, IsSymmetricPositiveDefinite) {
  const MatrixXd M = mass_matrix(ForestState(4));
  EXPECT_LE((M - M.transpose()).cwiseAbs().maxCoeff(), kRoundOff * M.cwiseAbs().maxCoeff());
  EXPECT_EQ(Eigen::LLT<MatrixXd>(M).info(), Eigen::Success);
}

// Without prescribed motion kinetic energy is 1/2 v'Mv, and it is the bodies' and the rotors' energy.
TEST(MassMatrix, GivesTheKineticEnergy) {
  const ForestState forest(5, {.prescribed = false});
  const VectorXd& v = forest.state.v;
  const double energy = kinetic_energy(forest.model, forest.state, forest.kinematics);
  EXPECT_NEAR(energy, 0.5 * v.dot(mass_matrix(forest) * v), kRoundOff * energy);
}

// With prescribed motion too, kinetic energy is 1/2 m |v_c|^2 + 1/2 w'I w over the bodies, plus the rotors'.
TEST(MassMatrix, KineticEnergyIsTheSumOverBodies) {
  const ForestState forest(6);
  double expected = 0.5 * forest.state.v.dot(armature(forest.model).cwiseProduct(forest.state.v));
  for (int i = 1; i < forest.body_count(); ++i) {
    const LinkVelocity velocity = body_velocity(forest.model, forest.kinematics, i);
    const Vector3d r = forest.center_of_mass(i) - body_pose(forest.model, forest.kinematics, i).position;
    expected += 0.5 * forest.model.bodies[static_cast<size_t>(i)].inertia.mass *
                    (velocity.v + velocity.w.cross(r)).squaredNorm() +
                0.5 * velocity.w.dot(forest.world_inertia(i) * velocity.w);
  }
  EXPECT_NEAR(kinetic_energy(forest.model, forest.state, forest.kinematics), expected, kRoundOff * expected);
}

// Momentum is that of everything that moves: sums over bodies, angular momentum about the common centre of mass.
TEST(MassMatrix, MomentumIsTheSumOverBodies) {
  const ForestState forest(7, {.prescribed = false});
  double mass = 0;
  Vector3d first = Vector3d::Zero(), linear = Vector3d::Zero(), angular = Vector3d::Zero();
  for (int i = 1; i < forest.body_count(); ++i) {
    const BodyInfo& body = forest.model.bodies[static_cast<size_t>(i)];
    if (body.link == 0) continue;
    const LinkVelocity velocity = body_velocity(forest.model, forest.kinematics, i);
    const Vector3d c = forest.center_of_mass(i);
    const Vector3d p =
        body.inertia.mass * (velocity.v + velocity.w.cross(c - body_pose(forest.model, forest.kinematics, i).position));
    mass += body.inertia.mass;
    first += body.inertia.mass * c;
    linear += p;
    angular += c.cross(p) + forest.world_inertia(i) * velocity.w;
  }
  const Momentum total = momentum(forest.model, forest.kinematics);
  EXPECT_NEAR(total.mass, mass, kRoundOff * mass);
  EXPECT_LE((total.center - first / mass).norm(), kRoundOff);
  EXPECT_LE((total.linear - linear).norm(), kRoundOff * 10);
  EXPECT_LE((total.angular - (angular - (first / mass).cross(linear))).norm(), kRoundOff * 100);
}

// Armature of a lone free body counts as of any other joint.
TEST(MassMatrix, LoneFreeBodyHasItsArmature) {
  Scene scene;
  forest_testing::Random random(8);
  forest_testing::add_body(scene, random, "ball");
  scene.joints.push_back({.name = "free", .type = JointType::kFree, .child = "ball", .armature = 0.5});
  const Model with = compile(scene);
  scene.joints[0].armature = 0;
  const Model without = compile(scene);
  const State state = initial_state(with);
  const auto mass_of = [&](const Model& model) {
    Kinematics kinematics;
    compute_poses(model, state, kinematics);
    MassMatrix mass(model);
    compute_mass_matrix(model, state, kinematics, mass);
    return dense_mass_matrix(model, kinematics, mass);
  };
  const MatrixXd difference = mass_of(with) - mass_of(without);
  EXPECT_LE((difference - 0.5 * MatrixXd::Identity(6, 6)).cwiseAbs().maxCoeff(), kRoundOff);
}

}  // namespace
}  // namespace stickslip
