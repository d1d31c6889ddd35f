#include "stickslip/systems/suction.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "stickslip/systems/arms_testing.h"

namespace stickslip {
namespace {

using arms_testing::list_of;
using arms_testing::output_of;
using arms_testing::start_of;

// A cup above the top of a box of side 0.2 at the origin.
Model cup_and_box(const Vector3d& cup) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies.push_back({.name = "cup", .inertia = {0.1, Vector3d::Zero(), 1e-4 * Matrix3d::Identity()}});
  scene.bodies.back().pose.position = cup;
  scene.bodies.push_back({.name = "box", .inertia = {1, Vector3d::Zero(), 0.01 * Matrix3d::Identity()}});
  scene.bodies.back().geometry.push_back({.shape = Box{Vector3d::Constant(0.2)}});
  return compile(scene);
}

SuctionOptions options() { return {.gripper = "cup", .target = "box", .force = 30, .distance = 2e-3, .range = 0.05}; }

// F/(1 + d/d0) towards the nearest point, and the same on the box with its torque about the centre.
TEST(Suction, PullsTowardsTheNearestPointEqualAndOpposite) {
  const Model model = cup_and_box({0.05, 0.02, 0.1 + 4e-3});
  const auto list = list_of(model, {std::make_shared<Suction>(model, options())});
  const VectorXd tau = output_of(list, start_of(model, *list));
  EXPECT_LE((tau.segment<3>(0) - Vector3d(0, 0, -10)).norm(), 1e-9);
  EXPECT_LE((tau.segment<3>(6) - Vector3d(0, 0, 10)).norm(), 1e-9);
  EXPECT_LE((tau.segment<3>(9) - Vector3d(0.05, 0.02, 0.1).cross(Vector3d(0, 0, 10))).norm(), 1e-9);
}

TEST(Suction, EndsAtItsRangeAndIsFullInside) {
  const auto force = [](double height) {
    const Model model = cup_and_box({0, 0, 0.1 + height});
    const auto list = list_of(model, {std::make_shared<Suction>(model, options())});
    return output_of(list, start_of(model, *list)).segment<3>(0).norm();
  };
  EXPECT_EQ(force(0.051), 0);
  EXPECT_NEAR(force(0.049), 30 / (1 + 0.049 / 2e-3), 1e-9);
  EXPECT_NEAR(force(-1e-3), 30, 1e-9);
}

TEST(Suction, RefusesWhatMakesNoSense) {
  const Model model = cup_and_box({0, 0, 0.2});
  const auto with = [&](auto&& change) {
    SuctionOptions changed = options();
    change(changed);
    return Suction(model, changed).name();
  };
  EXPECT_THROW(with([](auto& o) { o.gripper = "cap"; }), std::invalid_argument);
  EXPECT_THROW(with([](auto& o) { o.target = "cup"; }), std::invalid_argument);  // has no geometry
  EXPECT_THROW(with([](auto& o) { o.distance = 0; }), std::invalid_argument);
  EXPECT_THROW(with([](auto& o) { o.force = -1; }), std::invalid_argument);
}

}  // namespace
}  // namespace stickslip
