#include "stickslip/systems/linearize_systems.h"

#include <gtest/gtest.h>

#include "stickslip/systems/arms_testing.h"
#include "stickslip/systems/function_system.h"
#include "stickslip/systems/joint_pd.h"

namespace stickslip {
namespace {

using arms_testing::list_of;
using arms_testing::one;
using arms_testing::stage;
using arms_testing::start_of;

LinearSystems linearized(const std::shared_ptr<const SystemList>& list, const State& state, double h) {
  std::vector<SystemTerms> terms;
  EXPECT_TRUE(SystemEvaluator(list).evaluate(state, terms).ok());
  LinearSystems out;
  SystemLinearizer(list).linearize(state, terms, h, out);
  return out;
}

// tau = -K q - D v with matrices of our choice.
std::shared_ptr<const System> matrix_feedback(const MatrixXd& K, const MatrixXd& D, const VectorXd& limits = {}) {
  return std::make_shared<FunctionSystem>(
      SystemFunctions{.output = [=](const SystemInput& in, VectorXd& tau) { tau -= K * in.state.q + D * in.state.v; },
                      .jacobians =
                          [=](const SystemInput&, SystemJacobians& x) {
                            x.g_q = -K;
                            x.g_v = -D;
                          },
                      .effort_limit = limits});
}

// z' = F z + B q + E v + c, tau = G z: the response of z is that of implicit Euler, solved by hand.
TEST(Linearization, EliminatesStatesAsImplicitEuler) {
  const Model model = compile(stage(2));
  const MatrixXd F{{-3, 1}, {0.5, -40}}, B{{1, 2}, {3, 4}}, E{{-1, 0.3}, {0, 2}}, G{{1, 0}, {0.2, -2}};
  const VectorXd c{{0.1, 0.2}};
  const auto list = list_of(
      model,
      {std::make_shared<FunctionSystem>(SystemFunctions{
          .output = [=](const SystemInput& in, VectorXd& tau) { tau += G * in.z; },
          .derivative = [=](const SystemInput& in,
                            Eigen::Ref<VectorXd> zdot) { zdot = F * in.z + B * in.state.q + E * in.state.v + c; },
          .z0 = VectorXd{{0.7, -0.3}},
          .jacobians =
              [=](const SystemInput&, SystemJacobians& x) {
                x.g_z = G;
                x.h_z = F;
                x.h_q = B;
                x.h_v = E;
              }})});
  State state = start_of(model, *list);
  state.q << 0.4, -0.2;
  state.v << 1.5, 0.5;
  const double h = 0.1;
  const LinearSystems linear = linearized(list, state, h);
  const VectorXd v1{{-0.6, 2.0}};
  VectorXd z1;
  SystemLinearizer(list).advance_z(linear, state, v1, z1);
  const VectorXd expected =
      (MatrixXd::Identity(2, 2) - h * F).lu().solve(state.z + h * (B * (state.q + h * v1) + E * v1 + c));
  EXPECT_LE((z1 - expected).norm(), 1e-14);
}

// A symmetric positive gain matrix is taken whole: C = D + h K, d = what makes the force right at v0.
TEST(Linearization, KeepsACoupledPositiveGainMatrix) {
  const Model model = compile(stage(2));
  const MatrixXd K{{50, -20}, {-20, 30}}, D{{4, 1}, {1, 2}};
  const auto list = list_of(model, {matrix_feedback(K, D)});
  State state = start_of(model, *list);
  state.q << 0.4, -0.2;
  state.v << 1.5, 0.5;
  const double h = 0.02;
  const LinearSystems linear = linearized(list, state, h);
  ASSERT_EQ(linear.feedback.size(), 1u);
  EXPECT_LE((linear.feedback[0].C - D - h * K).norm(), 1e-14);
  EXPECT_LE((linear.d + K * state.q).norm(), 1e-13);
}

// An indefinite one keeps its positive part implicit; the force at v0 is right all the same.
TEST(Linearization, TakesThePositivePartOfAnIndefiniteGainMatrix) {
  const Model model = compile(stage(2));
  const MatrixXd D{{1, 2}, {2, 1}};  // eigenvalues 3 and -1
  const auto list = list_of(model, {matrix_feedback(MatrixXd::Zero(2, 2), D)});
  State state = start_of(model, *list);
  state.v << 1.5, 0.5;
  const LinearSystems linear = linearized(list, state, 0.02);
  EXPECT_LE((linear.feedback[0].C - 1.5 * MatrixXd::Ones(2, 2)).norm(), 1e-13);
  VectorXd tau;
  SystemLinearizer(list).read_force(linear, state.v, tau);
  EXPECT_LE((tau + D * state.v).norm(), 1e-13);
}

// With an effort limit anywhere in the tree a system's feedback is diagonal there.
TEST(Linearization, IsDiagonalWhereEffortIsLimited) {
  const Model model = compile(stage(2));
  const MatrixXd D{{4, 1}, {1, 2}};
  const auto list = list_of(model, {matrix_feedback(MatrixXd::Zero(2, 2), D, VectorXd{{kInfinity, 3.0}})});
  State state = start_of(model, *list);
  state.v << 1.5, 0.5;
  const LinearSystems linear = linearized(list, state, 0.02);
  EXPECT_EQ(linear.feedback[0].C, MatrixXd(VectorXd{{4, 0}}.asDiagonal()));
  ASSERT_EQ(linear.limited.size(), 1u);
  EXPECT_EQ(linear.limited[0].c, 2);
  EXPECT_NEAR(linear.limited[0].d, -(D * state.v)[1] + 2 * 0.5, 1e-15);
  EXPECT_EQ(linear.limited[0].limit, 3);
}

// Systems add up before the positive part is taken: what one feeds in, another may take out.
TEST(Linearization, ProjectsTheSumOfSystems) {
  const Model model = compile(stage(1));
  const auto gain = [](double d) { return matrix_feedback(MatrixXd::Zero(1, 1), MatrixXd::Constant(1, 1, d)); };
  const auto list = list_of(model, {gain(5), gain(-2)});
  EXPECT_EQ(linearized(list, start_of(model, *list), 0.02).feedback[0].C(0, 0), 3);
}

// Of two trees each has its own block; the force at the start has the coupling.
TEST(Linearization, LeavesCouplingBetweenTreesExplicit) {
  Scene scene = stage(1);
  Scene other = stage(1);
  other.bodies[0].name = other.joints[0].name = other.joints[0].child = "other";
  scene.bodies.push_back(other.bodies[0]);
  scene.joints.push_back(other.joints[0]);
  const Model model = compile(scene);
  const MatrixXd D{{4, 1}, {1, 2}};
  const auto list = list_of(model, {matrix_feedback(MatrixXd::Zero(2, 2), D)});
  State state = start_of(model, *list);
  state.v << 1.5, 0.5;
  const LinearSystems linear = linearized(list, state, 0.02);
  ASSERT_EQ(linear.feedback.size(), 2u);
  EXPECT_EQ(linear.feedback[0].C(0, 0), 4);
  EXPECT_EQ(linear.feedback[1].C(0, 0), 2);
  VectorXd tau;
  SystemLinearizer(list).read_force(linear, state.v, tau);
  EXPECT_LE((tau + D * state.v).norm(), 1e-14);
}

}  // namespace
}  // namespace stickslip
