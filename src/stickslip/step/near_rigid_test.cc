#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/icf/rows.h"
#include "stickslip/step/method.h"

namespace stickslip {
namespace {

// A bob that a distance of 1 m holds to the world, swinging: its largest error over a second.
double largest_gap(double beta, double h) {
  Scene scene;
  scene.gravity = {0, 0, -9.81};
  scene.bodies.push_back({.name = "bob", .inertia = {2, Vector3d::Zero(), 0.01 * Matrix3d::Identity()}});
  scene.bodies[0].pose.position.x() = 1;
  scene.constraints.push_back({.name = "rope", .kind = Constraint::Kind::kDistance, .body_b = "bob", .length = 1});
  const Model model = compile(scene);
  const std::unique_ptr<Method> method = make_method("lagged", model, {.solver = {.tolerance = 1e-12}, .beta = beta});
  const std::unique_ptr<Method::Prepared> prepared = method->make_prepared();
  State state = initial_state(model), next;
  double largest = 0;
  while (state.time < 1) {
    EXPECT_TRUE(method->prepare(state, h, *prepared).ok());
    EXPECT_TRUE(method->advance(*prepared, h, next).ok());
    std::swap(state, next);
    largest = std::max(largest, std::abs(state.q.head<3>().norm() - 1));
  }
  return largest;
}

// The stiffness grows like 1/h^2, so the violation shrinks like h^2.   CENIC IV-D
TEST(NearRigid, ViolationShrinksWithTheSquareOfTheStep) {
  EXPECT_NEAR(std::log2(largest_gap(0.1, 1e-3) / largest_gap(0.1, 5e-4)), 2, 0.05);
  EXPECT_NEAR(std::log2(largest_gap(1, 1e-3) / largest_gap(1, 5e-4)), 2, 0.05);
}

// T = beta h is a time scale like any other: at the step where they meet, the two are the same.
TEST(NearRigid, EqualsTheOwnTimeScaleWhereTheyMeet) {
  const double h = 1e-3, beta = TimeScales().holonomic / h;
  EXPECT_NEAR(largest_gap(beta, h) / largest_gap(0, h), 1, 1e-6);
}

// An arm that runs into a limit stops there within the step: no way in, no way back.
TEST(NearRigid, LimitStopsAtOnce) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies.push_back({.name = "arm", .inertia = {1, {1, 0, 0}, 0.1 * Matrix3d::Identity()}});
  scene.joints.push_back({.name = "hinge", .child = "arm", .velocity = {2}, .limits = {-1, 1}});
  const Model model = compile(scene);
  const std::unique_ptr<Method> method = make_method("lagged", model, {.solver = {.tolerance = 1e-12}, .beta = 0.1});
  const std::unique_ptr<Method::Prepared> prepared = method->make_prepared();
  State state = initial_state(model), next;
  for (int i = 0; i < 60; ++i) {
    EXPECT_TRUE(method->prepare(state, 1e-2, *prepared).ok());
    EXPECT_TRUE(method->advance(*prepared, 1e-2, next).ok());
    std::swap(state, next);
    EXPECT_LE(state.q[0], 1 + 1e-4);
  }
  EXPECT_NEAR(state.q[0], 1, 1e-3);
  EXPECT_NEAR(state.v[0], 0, 1e-6);
}

}  // namespace
}  // namespace stickslip
