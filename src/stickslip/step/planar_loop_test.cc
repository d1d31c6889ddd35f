#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <optional>

#include "stickslip/step/step_testing.h"

// Loops of hinges that are parallel but for the digits of a file, as those of every gripper drawn by CAD.
namespace stickslip {
namespace {

using step_testing::run;
using step_testing::total_energy;

Body bar(const char* name, const Vector3d& end) {
  return {.name = name, .inertia = {0.02, end / 2, 1e-5 * Matrix3d::Identity()}};
}

Joint hinge(const char* name, const char* parent, const char* child, const Vector3d& place) {
  Joint joint{.name = name, .parent = parent, .child = child, .axis = Vector3d::UnitY()};
  joint.pose.position = place;
  return joint;
}

// A crank and a rocker of 0.3 m hang 0.4 m apart and are joined by a rod; the rocker's axis is tilted by `misaligned`.
Model parallelogram(double misaligned, std::optional<double> time_scale) {
  const Vector3d down(0, 0, -0.3), across(0.4, 0, 0);
  Scene scene;
  scene.gravity = {5, 0, -5};
  scene.bodies = {bar("crank", down), bar("rod", across), bar("rocker", down)};
  scene.joints = {hinge("a", "world", "crank", {0, 0, 0}), hinge("b", "crank", "rod", down),
                  hinge("c", "world", "rocker", across)};
  scene.joints[2].axis = Eigen::AngleAxisd(misaligned, Vector3d::UnitX()) * Vector3d::UnitY();
  Constraint pin{.name = "pin", .kind = Constraint::Kind::kBall, .body_a = "rod", .body_b = "rocker"};
  pin.pose_a.position = across;
  pin.pose_b.position = down;
  pin.time_scale = time_scale;
  scene.constraints.push_back(pin);
  return compile(scene);
}

// With the softness that such files have. By a swing of 0.8 rad the rocker's end leaves the plane by 1e-5 m: held there
// by all the mass that a lever of 1e-5 m moves, the pin would stop the links, and the solver with them.
TEST(PlanarLoop, AxesThatAreHardlyParallelMoveAsParallelOnes) {
  const Model parallel = parallelogram(0, 5e-3), tilted = parallelogram(4e-5, 5e-3);
  const State a = run(parallel, "lagged", initial_state(parallel), 1e-3, 300);
  const State b = run(tilted, "lagged", initial_state(tilted), 1e-3, 300);
  EXPECT_LT(a.q[0], -0.8);
  EXPECT_NEAR(a.q[0], a.q[2], 1e-4);  // a parallelogram, as far as the pin is stiff
  EXPECT_NEAR(b.q[0] / a.q[0], 1, 1e-3);
  EXPECT_NEAR(b.q[2] / a.q[2], 1, 1e-3);
}

// As stiff as can be it is no mechanism, and stops sooner; but nothing flies apart.
TEST(PlanarLoop, StiffPinsOfHardlyParallelAxesMakeNoEnergy) {
  const Model tilted = parallelogram(4e-5, std::nullopt);
  const State start = initial_state(tilted), end = run(tilted, "lagged", start, 1e-3, 300);
  EXPECT_LT(end.q[0], -0.5);
  EXPECT_LE(total_energy(tilted, end), total_energy(tilted, start) + 1e-6);
}

}  // namespace
}  // namespace stickslip
