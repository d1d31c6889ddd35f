#include "stickslip/control/error_norm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stickslip/control/control_testing.h"
#include "stickslip/state/configuration.h"

namespace stickslip {
namespace {

using control_testing::model_of;

ErrorEstimate compare(const Model& model, const ErrorNorm& norm, const State& a, const State& b,
                      TreeError kind = TreeError::kRough) {
  VectorXd scratch;
  return measure(model, norm, a, b, std::vector<TreeError>(model.trees.size(), kind), scratch);
}

// Rotations are compared by the angle between them, whatever the quaternions' signs and however far they turned.
TEST(ErrorNorm, MeasuresRotationsOnTheManifold) {
  const Model model = control_testing::tumbling_box();
  State a = initial_state(model), b = a;
  VectorXd turn = VectorXd::Zero(6);
  turn[4] = 3.0;
  integrate(model, a.q, turn, a.q);
  integrate(model, b.q, turn, b.q);
  turn[4] = 1e-3;
  integrate(model, b.q, turn, b.q);
  b.q.segment<4>(3) *= -1;
  const ErrorEstimate error = compare(model, {VectorXd::Ones(6)}, a, b);
  EXPECT_NEAR(error.value, 1e-3, 1e-12);
  EXPECT_EQ(error.worst, 4);
}

TEST(ErrorNorm, LooksAtVelocitiesWithinTheHorizon) {
  const Model model = control_testing::tumbling_box();
  const State a = initial_state(model);
  State b = a;
  b.v[1] += 0.5;
  const ErrorNorm norm{VectorXd::Constant(6, 2.0), 0.01, 0.1};
  EXPECT_NEAR(compare(model, norm, a, b, TreeError::kSmooth).value, 0.01, 1e-15);
  EXPECT_NEAR(compare(model, norm, a, b, TreeError::kRough).value, 0.1, 1e-15);
  EXPECT_EQ(compare(model, norm, a, b, TreeError::kNone).value, 0);
  EXPECT_EQ(compare(model, {VectorXd::Ones(6)}, a, b).value, 0);
}

// A NaN is worse than any number, wherever it stands.
TEST(ErrorNorm, NotANumberIsTheWorst) {
  const Model model = control_testing::tumbling_box();
  const State a = initial_state(model);
  for (int i = 0; i < 3; ++i) {
    State b = a;
    b.q.head<3>().setConstant(5);
    b.q[i] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(compare(model, {VectorXd::Ones(6)}, a, b).value));
  }
}

TEST(ErrorNorm, ExternalStatesCountRelativeToTheirSize) {
  const Model model = control_testing::tumbling_box();
  State a = initial_state(model), b = a;
  a.z = VectorXd::Constant(2, 100.0);
  b.z = a.z;
  b.z[1] = 101;
  const ErrorEstimate error = compare(model, {VectorXd::Ones(6)}, a, b);
  EXPECT_NEAR(error.value, 1.0 / 101, 1e-12);
  EXPECT_EQ(error.worst, -2);
}

// As the difference of quaternions has it.
TEST(ErrorNorm, IdentityWeightsHalveAngles) {
  const VectorXd expected{{1, 1, 1, 0.5, 0.5, 0.5}};
  EXPECT_EQ(identity_weights(control_testing::tumbling_box()), expected);
}

// A metre is as many radii as the body is small; a joint moves the far end of its arm.
TEST(ErrorNorm, WeightsFollowTheSizeOfBodies) {
  const Model model = model_of(R"(
bodies:
  - {name: ball, mass: 1, inertia: {ixx: 1.0e-3, iyy: 1.0e-3, izz: 1.0e-3}, geometry: [{sphere: {radius: 0.05}}]}
  - {name: arm, mass: 1, center: [1, 0, 0], inertia: {ixx: 0.02, iyy: 0.02, izz: 0.02}, geometry: [{sphere: {radius: 0.1}, pose: {position: [1, 0, 0]}}]}
  - {name: cart, mass: 1, inertia: {ixx: 0.02, iyy: 0.02, izz: 0.02}}
joints:
  - {name: hinge, type: revolute, parent: world, child: arm, axis: [0, 0, 1]}
  - {name: rail, type: prismatic, parent: world, child: cart, axis: [1, 0, 0]}
)");
  const VectorXd weights = size_weights(model);
  EXPECT_NEAR(weights[0], 20, 1e-9);
  EXPECT_NEAR(weights[3], 1, 1e-9);
  EXPECT_NEAR(weights[6], 1 + 1 / 0.1, 1e-9);          // a ball of 0.1 m, a metre from the hinge
  EXPECT_NEAR(weights[7], 1 / std::sqrt(0.03), 1e-9);  // by its gyration radius
}

}  // namespace
}  // namespace stickslip
