#include "stickslip/dynamics/free_bodies.h"

#include <gtest/gtest.h>

#include "stickslip/dynamics/equations_of_motion.h"
#include "stickslip/dynamics/forward_dynamics.h"
#include "stickslip/model/forest_testing.h"

namespace stickslip {
namespace {

using forest_testing::add_body;
using forest_testing::Random;

// A model in a state, with its equations of motion.
struct Solved {
  Model model;
  State state;
  EquationsOfMotion equations;
  VectorXd vdot;

  Solved(Model compiled, const VectorXd& q, const VectorXd& v)
      : model(std::move(compiled)), state(initial_state(model)), equations(model) {
    state.q = q;
    state.v = v;
    compute_equations_of_motion(model, state, equations);
    ForwardDynamicsWorkspace workspace;
    forward_dynamics(model, state, equations.kinematics, VectorXd::Zero(model.nv), nullptr, nullptr, vdot, workspace);
  }
  MatrixXd mass() const { return dense_mass_matrix(model, equations.kinematics, equations.mass); }
};

// A lone free body has the same bits in any company: alone, or in any of seven places of the list.
TEST(FreeBodies, BitsDoNotDependOnCompany) {
  Random random(1);
  Scene crowd;
  for (int i = 0; i < 7; ++i) add_body(crowd, random, "body" + std::to_string(i));
  const VectorXd q = forest_testing::random_configuration(compile(crowd), random), v = random.vector_of(42, 3);
  const Solved together(compile(crowd), q, v);
  for (int i = 0; i < 7; ++i) {
    Scene single;
    single.bodies = {crowd.bodies[static_cast<size_t>(i)]};
    const Solved alone(compile(single), q.segment<7>(7 * i), v.segment<6>(6 * i));
    EXPECT_EQ(alone.vdot, together.vdot.segment<6>(6 * i)) << i;
    EXPECT_EQ(alone.equations.bias, together.equations.bias.segment<6>(6 * i)) << i;
    EXPECT_EQ(alone.mass(), together.mass().block(6 * i, 6 * i, 6, 6)) << i;
    const size_t link = static_cast<size_t>(i) + 1;
    EXPECT_EQ(alone.equations.kinematics.pose[1].R, together.equations.kinematics.pose[link].R) << i;
    EXPECT_EQ(alone.equations.kinematics.pose[1].p, together.equations.kinematics.pose[link].p) << i;
    EXPECT_EQ(alone.equations.kinematics.velocity[1].w, together.equations.kinematics.velocity[link].w) << i;
  }
}

// The fast path equals the general one: the same body as the root of a tree, by a child of negligible mass.
TEST(FreeBodies, EqualTheSameBodyAsPartOfATree) {
  Random random(2);
  Scene scene;
  add_body(scene, random, "body");
  const Model lone_model = compile(scene);
  const VectorXd q = forest_testing::random_configuration(lone_model, random), v = random.vector_of(6, 3);
  const Solved lone(lone_model, q, v);

  constexpr double kNegligible = 1e-20;  // [kg]: below round-off of everything else
  add_body(scene, random, "speck").inertia = {kNegligible, Vector3d::Zero(), kNegligible * Matrix3d::Identity()};
  forest_testing::add_joint(scene, random, JointType::kPrismatic, "body", "speck");
  const Model tree_model = compile(scene);
  ASSERT_EQ(lone_model.free_trees.size(), 1u);
  ASSERT_EQ(tree_model.free_trees.size(), 0u);
  VectorXd tree_q = VectorXd::Zero(8), tree_v = VectorXd::Zero(7);
  tree_q.head<7>() = q;
  tree_v.head<6>() = v;
  const Solved tree(tree_model, tree_q, tree_v);
  constexpr double kRoundOff = 1e-13;  // tens of operations
  EXPECT_LE((tree.mass().topLeftCorner<6, 6>() - lone.mass()).cwiseAbs().maxCoeff(), kRoundOff * lone.mass().norm());
  EXPECT_LE((tree.equations.bias.head<6>() - lone.equations.bias).norm(), kRoundOff * lone.equations.bias.norm());
  EXPECT_LE((tree.vdot.head<6>() - lone.vdot).norm(), 10 * kRoundOff * lone.vdot.norm());
}

// A free body falls with its centre of mass in a parabola and obeys Euler's equation, wherever its origin is.
TEST(FreeBodies, ObeyNewtonAndEuler) {
  Random random(3);
  Scene scene;
  const MassProperties inertia = add_body(scene, random, "body").inertia;
  const Model model = compile(scene);
  const VectorXd v = random.vector_of(6, 3);
  const Solved solved(model, forest_testing::random_configuration(model, random), v);
  const Matrix3d R = solved.equations.kinematics.pose[1].R;
  const Vector3d w = v.tail<3>(), alpha = solved.vdot.tail<3>();  // body axes
  const Vector3d euler = inertia.inertia * alpha + w.cross(inertia.inertia * w);
  EXPECT_LE(euler.norm(), 1e-13 * inertia.inertia.norm() * w.squaredNorm());
  const Vector3d center = solved.vdot.head<3>() + R * (alpha.cross(inertia.center) + w.cross(w.cross(inertia.center)));
  EXPECT_LE((center - scene.gravity).norm(), 1e-13 * 10);
}

}  // namespace
}  // namespace stickslip
