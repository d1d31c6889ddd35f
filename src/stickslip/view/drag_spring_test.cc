#include "stickslip/view/drag_spring.h"

#include <gtest/gtest.h>

#include "stickslip/scene/reader.h"
#include "stickslip/simulate/simulator.h"

namespace stickslip {
namespace {

constexpr double kFrequency = 12;  // [rad/s]

std::shared_ptr<const Model> model_of(const std::string& text) {
  return std::make_shared<const Model>(compile(read_scene_string(text, SceneFormat::kYaml)));
}

// A lone ball held at its centre: x(t) = (1 + w t) exp(-w t) of the way is left, whatever its mass.
TEST(DragSpring, ABallGoesWhereItIsPulled) {
  for (const char* mass : {"0.01", "100"}) {
    Simulator sim(
        model_of(std::string("gravity: [0, 0, 0]\nbodies: [{name: ball, geometry: [{sphere: {radius: 0.1}}], mass: ") +
                 mass + "}]"),
        {.accuracy = 1e-8});
    sim.add(std::make_shared<DragSpring>());
    sim.state().z = DragSpring::holding(sim.model(), sim.state(), 1, Vector3d::Zero(), {1, 0, 0});
    for (double t : {0.05, 0.2, 1.0}) {
      ASSERT_TRUE(sim.advance_to(t).ok());
      EXPECT_NEAR(sim.state().q[0], 1 - (1 + kFrequency * t) * std::exp(-kFrequency * t), 1e-5);
    }
    sim.state().z = DragSpring::nothing();
    const double speed = sim.state().v[0];
    ASSERT_TRUE(sim.advance_to(2).ok());
    EXPECT_NEAR(sim.state().v[0], speed, 1e-9);
  }
}

// Whatever is pulled, and however far away it is wanted, the simulation goes on.
TEST(DragSpring, AnArmFollowsAndStaysWhole) {
  Simulator sim(std::make_shared<const Model>(compile(read_scene("examples/double_pendulum.yaml"))));
  sim.add(std::make_shared<DragSpring>());
  const int body = static_cast<int>(sim.model().bodies.size()) - 1;
  const Eigen::Index states = DragSpring::nothing().size();
  sim.state().z.tail(states) = DragSpring::holding(sim.model(), sim.state(), body, {0, 0, -0.1}, {5, 5, 5});
  ASSERT_TRUE(sim.advance_to(3).ok());
  EXPECT_LT(sim.state().v.norm(), 1);  // it came to rest as near as it can
  EXPECT_GT(sim.body_pose(body).position.normalized().dot(Vector3d(5, 0, 5).normalized()), 0.9);
}

}  // namespace
}  // namespace stickslip
