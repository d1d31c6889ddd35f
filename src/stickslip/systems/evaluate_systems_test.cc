#include "stickslip/systems/evaluate_systems.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stickslip/dynamics/forest_state_testing.h"
#include "stickslip/dynamics/jacobian.h"
#include "stickslip/math/rotation.h"
#include "stickslip/systems/arms_testing.h"
#include "stickslip/systems/function_system.h"

namespace stickslip {
namespace {

using arms_testing::list_of;
using arms_testing::start_of;
using arms_testing::terms_of;
using forest_testing::ForestState;

// A smooth function of everything: a spring from a point of a hand to the world, whose stiffness is a state.
std::shared_ptr<const System> hand_spring(const Model& model, const VectorXd& z0) {
  const int link = model.bodies[model.find_body("hand")].link;
  return std::make_shared<FunctionSystem>(SystemFunctions{
      .name = "spring",
      .output =
          [link](const SystemInput& in, VectorXd& tau) {
            Kinematics kinematics;
            compute_poses(in.model, in.state, kinematics);
            const Vector3d p = kinematics.pose[link].p + kinematics.pose[link].R * Vector3d(0.1, 0.2, 0.3);
            Matrix6Xd J;
            point_jacobian(in.model, kinematics, link, p, J);
            tau -= J.topRows<3>().transpose() * (in.z[0] * p + J.topRows<3>() * in.state.v * std::sin(in.z[1]));
          },
      .derivative =
          [](const SystemInput& in, Eigen::Ref<VectorXd> zdot) {
            zdot[0] = in.state.v.squaredNorm() - in.z[0] * in.z[1];
            zdot[1] = std::cos(in.z[0]);
          },
      .z0 = z0});
}

VectorXd output_at(const System& system, const Model& model, State state, const VectorXd& dq, const VectorXd& dv,
                   const VectorXd& dz) {
  integrate(model, state.q, dq, state.q);
  state.v += dv;
  state.z += dz;
  VectorXd tau = VectorXd::Zero(model.nv);
  system.output({model, state, Eigen::Map<const VectorXd>(state.z.data(), state.z.size())}, nullptr, tau);
  return tau;
}

// With rotations nq > nv: the columns go along the manifold. Richardson's extrapolation of central differences is good
// to 1e-9; forward differences of a function with curvature to some 1e-7.
TEST(Differences, AgreeWithRichardsonOnAFloatingBase) {
  ForestState forest(11);
  const Model& model = forest.model;
  ASSERT_GT(model.nq, model.nv);
  const VectorXd z0{{3.0, 0.7}};
  const auto system = hand_spring(model, z0);
  State state = forest.state;
  state.z = z0;
  const SystemTerms terms = terms_of(list_of(model, {system}), state);
  const VectorXd none = VectorXd::Zero(model.nv), no_z = VectorXd::Zero(2);
  const auto richardson = [&](auto&& at) {
    constexpr double kStep = 1e-3;
    const auto central = [&](double h) { return VectorXd((at(h) - at(-h)) / (2 * h)); };
    return VectorXd((4 * central(0.5 * kStep) - central(kStep)) / 3);
  };
  double worst = 0;
  for (int i = 0; i < model.nv; ++i) {
    const VectorXd e = VectorXd::Unit(model.nv, i);
    const VectorXd q = richardson([&](double h) { return output_at(*system, model, state, h * e, none, no_z); });
    const VectorXd v = richardson([&](double h) { return output_at(*system, model, state, none, h * e, no_z); });
    worst = std::max({worst, (terms.jacobians.g_q.col(i) - q).cwiseAbs().maxCoeff(),
                      (terms.jacobians.g_v.col(i) - v).cwiseAbs().maxCoeff()});
    EXPECT_NEAR(terms.jacobians.h_v(0, i), 2 * state.v[i], 1e-6);  // differences of numbers of order 10
  }
  for (int k = 0; k < 2; ++k) {
    const VectorXd e = VectorXd::Unit(2, k);
    const VectorXd z = richardson([&](double h) { return output_at(*system, model, state, none, none, h * e); });
    worst = std::max(worst, (terms.jacobians.g_z.col(k) - z).cwiseAbs().maxCoeff());
  }
  EXPECT_LE(worst, 2e-6);
  EXPECT_NEAR(terms.jacobians.h_z(0, 0), -z0[1], 1e-7);
  EXPECT_NEAR(terms.jacobians.h_z(1, 0), -std::sin(z0[0]), 1e-7);
}

// The closed form of a spring on a free body's attitude: tau = -k log(R), d tau/d q = -k (dlog of the right Jacobian).
TEST(Differences, OfAnAttitudeSpringEqualTheClosedForm) {
  Scene scene;
  scene.bodies.push_back({.name = "body", .inertia = {1, Vector3d::Zero(), Matrix3d::Identity()}});
  const Model model = compile(scene);
  const auto system = std::make_shared<FunctionSystem>(SystemFunctions{
      .output =
          [](const SystemInput& in, VectorXd& tau) {
            const Quaterniond turn(in.state.q[3], in.state.q[4], in.state.q[5], in.state.q[6]);
            tau.tail<3>() -= 5 * log_quaternion(turn);
          },
  });
  const auto list = list_of(model, {system});
  State state = start_of(model, *list);
  const Vector3d turn(0.4, -0.9, 0.3);
  const Quaterniond q = exp_quaternion(turn);
  state.q.tail<4>() << q.w(), q.vec();
  const MatrixXd g_q = terms_of(list, state).jacobians.g_q;
  EXPECT_LE((g_q.bottomRightCorner<3, 3>() + 5 * right_jacobian_inverse(turn)).norm(), 1e-6);
  EXPECT_EQ(g_q.topRows<3>().norm(), 0);
}

// Only the degrees of freedom that a system names are differenced; what it does elsewhere is still applied.
TEST(Evaluation, NamedDegreesOfFreedomBoundTheWork) {
  const Model model = compile(arms_testing::stage(5));
  int calls = 0;
  const auto list = list_of(
      model, {std::make_shared<FunctionSystem>(SystemFunctions{.output =
                                                                   [&calls](const SystemInput& in, VectorXd& tau) {
                                                                     ++calls;
                                                                     tau -= 3 * in.state.q;
                                                                     tau[4] += 1;
                                                                   },
                                                               .dofs = {3, 1}})});
  const SystemTerms terms = terms_of(list, start_of(model, *list));
  EXPECT_EQ(calls, 1 + 2 * 2);
  EXPECT_EQ(terms.jacobians.g_q.rows(), 2);
  EXPECT_NEAR(terms.jacobians.g_q(0, 0), -3, 1e-7);
  EXPECT_EQ(terms.g[4], 1);
}

// A function with a derivative on one side only, as a valve at its stop.
TEST(Differences, GoBackwardWhereForwardThereIsNothing) {
  const Model model = compile(arms_testing::stage(1));
  const auto list = list_of(
      model, {std::make_shared<FunctionSystem>(SystemFunctions{.output = [](const SystemInput& in, VectorXd& tau) {
        tau[0] += in.state.q[0] > 0 ? std::numeric_limits<double>::quiet_NaN() : 2 * in.state.q[0];
      }})});
  EXPECT_NEAR(terms_of(list, start_of(model, *list)).jacobians.g_q(0, 0), 2, 1e-7);
}

// A number that is none is the controller's, and the message says whose.
TEST(Evaluation, NamesTheSystemWhoseOutputIsNoNumber) {
  const Model model = compile(arms_testing::stage(1));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto broken = [&](bool output, bool derivative, bool jacobian) {
    return std::make_shared<FunctionSystem>(SystemFunctions{
        .name = "my controller",
        .output = [=](const SystemInput&, VectorXd& tau) { tau[0] += output ? nan : 1; },
        .derivative = [=](const SystemInput&, Eigen::Ref<VectorXd> zdot) { zdot[0] = derivative ? nan : 0; },
        .z0 = VectorXd::Zero(1),
        .jacobians = [=](const SystemInput&, SystemJacobians& x) { x.g_v(0, 0) = jacobian ? nan : 0; }});
  };
  const std::pair<std::shared_ptr<const System>, const char*> cases[] = {
      {broken(true, false, false), "the output of system 'my controller'"},
      {broken(false, true, false), "the derivative of system 'my controller'"},
      {broken(false, false, true), "a Jacobian of system 'my controller'"}};
  for (const auto& [system, words] : cases) {
    const auto list = list_of(model, {system});
    std::vector<SystemTerms> terms;
    const Status status = SystemEvaluator(list).evaluate(start_of(model, *list), terms);
    EXPECT_EQ(status.code, StatusCode::kNotFinite);
    EXPECT_NE(status.message.find(words), std::string::npos) << status.message;
  }
}

}  // namespace
}  // namespace stickslip
