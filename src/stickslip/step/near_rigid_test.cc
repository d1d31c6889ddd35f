#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/step/method.h"

namespace stickslip {
namespace {

// A bob that a distance of 1 m holds to the world, swinging.
Model tethered_bob() {
  Scene scene;
  scene.gravity = {0, 0, -9.81};
  scene.bodies.push_back({.name = "bob", .inertia = {2, Vector3d::Zero(), 0.01 * Matrix3d::Identity()}});
  scene.bodies[0].pose.position.x() = 1;
  scene.constraints.push_back({.name = "rope", .kind = Constraint::Kind::kDistance, .body_b = "bob", .length = 1});
  return compile(scene);
}

double largest_gap(double beta, double h) {
  const Model model = tethered_bob();
  const std::unique_ptr<Method> method = make_method("lagged", model, {.solver_tolerance = 1e-12, .beta = beta});
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

TEST(NearRigid, Explore) {
  for (double beta : {0.0, 0.1, 1.0})
    for (double h : {4e-3, 2e-3, 1e-3, 5e-4}) printf("gap beta %g h %g: %g\n", beta, h, largest_gap(beta, h));
}

}  // namespace
}  // namespace stickslip
