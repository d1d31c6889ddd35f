#include "stickslip/dynamics/tree_energy.h"

#include <gtest/gtest.h>

#include "stickslip/dynamics/energy.h"
#include "stickslip/dynamics/forest_state_testing.h"

namespace stickslip {
namespace {

using forest_testing::ForestState;

// Trees together have the energy of all links: of every kind of joint, with springs, tendons and gravity compensation.
TEST(TreeEnergy, TreesTogetherHaveTheEnergyOfAll) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const ForestState forest(seed, {.prescribed = false, .forces = true});
    const TreeEnergyMeter meter(forest.model);
    TreeEnergy sum;
    for (size_t tree = 0; tree < forest.model.trees.size(); ++tree)
      sum += meter.measure(static_cast<int>(tree), forest.state, forest.kinematics);
    const double kinetic = kinetic_energy(forest.model, forest.state, forest.kinematics);
    const double potential = potential_energy(forest.model, forest.state, forest.kinematics);
    EXPECT_NEAR(sum.kinetic, kinetic, 1e-12 * kinetic);  // round-off of some hundred terms
    EXPECT_NEAR(sum.potential, potential, 1e-11 * std::abs(potential));
    EXPECT_EQ(sum.elastic, 0);
  }
}

// Who hangs on prescribed motion is driven; who is next to it is not.
TEST(TreeEnergy, OnlyTreesWithPrescribedMotionAreDriven) {
  Scene scene;
  for (const char* name : {"base", "arm", "free"}) {
    Body body;
    body.name = name;
    body.inertia = {1, Vector3d::Zero(), Matrix3d::Identity()};
    scene.bodies.push_back(body);
  }
  scene.joints.push_back({.name = "slide", .child = "base", .axis = Vector3d::UnitX()});
  scene.joints.back().type = JointType::kPrismatic;
  scene.joints.back().motion = forest_testing::sine(Vector3d::UnitX(), false);
  scene.joints.push_back({.name = "hinge", .parent = "base", .child = "arm", .axis = Vector3d::UnitY()});
  const Model model = compile(scene);
  const TreeEnergyMeter meter(model);
  const auto tree_of = [&](const char* name) { return model.links[model.bodies[model.find_body(name)].link].tree; };
  EXPECT_TRUE(meter.is_driven(tree_of("arm")));
  EXPECT_FALSE(meter.is_driven(tree_of("free")));
}

}  // namespace
}  // namespace stickslip
