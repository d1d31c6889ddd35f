#include "stickslip/step/free_flight.h"

#include <gtest/gtest.h>

#include "stickslip/dynamics/equations_of_motion.h"
#include "stickslip/dynamics/forces.h"
#include "stickslip/model/forest_testing.h"
#include "stickslip/step/centers_of_mass.h"
#include "stickslip/step/free_turns.h"
#include "stickslip/step/step_testing.h"

namespace stickslip {
namespace {

VectorXd force_at(const Model& model, const State& state) {
  EquationsOfMotion equations(model);
  compute_equations_of_motion(model, state, equations);
  VectorXd force;
  compute_explicit_forces(model, state, equations.kinematics, force);
  force -= equations.bias;
  add_turning_force(model, find_off_center_links(model), equations, force);
  FreeTurns(model).add_torque(state, -1, force);
  return force;
}

// A lone body with its centre of mass off its origin, thrown and spun.
Model thrown_body() {
  Scene scene;
  scene.gravity = {0.3, -0.2, -9.81};
  Body body;
  body.name = "thrown";
  body.inertia = MassProperties{2.0, {0.1, -0.05, 0.2}, Vector3d(0.02, 0.05, 0.06).asDiagonal()};
  body.pose.position = {1, 2, 3};
  scene.bodies.push_back(body);
  return compile(scene);
}

// Runge and Kutta's method with a thousand steps agrees, and so does the angular momentum.
TEST(FreeFlight, AgreesWithManySmallSteps) {
  const Model model = thrown_body();
  State start = initial_state(model);
  start.v << 1, -2, 5, 3, 4, -2;
  const double h = 0.3;
  State end = start;
  ASSERT_TRUE(can_fly(model, 0));
  ASSERT_TRUE(fly(model, 0, start, force_at(model, start), h, 1e-8, end));
  const State reference = step_testing::run(model, "rk4", start, h / 1000, 1000);
  EXPECT_LE(step_testing::distance(model, end, reference), 1e-9);
}

// The body turns by many radians in one go.
TEST(FreeFlight, LongFlightsKeepEnergyAndMomentum) {
  const Model model = thrown_body();
  State start = initial_state(model);
  start.v << 0, 0, 0, 0.1, 20, 0.1;
  const Matrix3d& inertia = model.links[1].inertia.inertia;
  State end = start;
  ASSERT_TRUE(fly(model, 0, start, force_at(model, start), 5.0, 1e-3, end));
  const Vector3d w0 = start.v.tail<3>(), w1 = end.v.tail<3>();
  EXPECT_NEAR(w1.dot(inertia * w1) / w0.dot(inertia * w0), 1, 1e-5);
  EXPECT_NEAR((inertia * w1).norm() / (inertia * w0).norm(), 1, 1e-12);
  EXPECT_GT((w1 - w0).norm(), 0.3);  // it did tumble
}

// Another force makes it something else than free flight.
TEST(FreeFlight, RefusesTorques) {
  const Model model = thrown_body();
  const State start = initial_state(model);
  VectorXd force = force_at(model, start);
  State end = start;
  EXPECT_TRUE(fly(model, 0, start, force, 0.1, 1e-3, end));
  force[4] += 1e-3;
  EXPECT_FALSE(fly(model, 0, start, force, 0.1, 1e-3, end));
}

}  // namespace
}  // namespace stickslip
