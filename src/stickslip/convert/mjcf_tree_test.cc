#include "stickslip/convert/mjcf_tree.h"

#include <gtest/gtest.h>

#include "stickslip/scene/reader.h"

namespace stickslip::convert {
namespace {

// Bodies in an order that no depth-first walk has: the child of the first one comes last.
constexpr const char* kScene = R"(
bodies:
  - {name: a, mass: 1, center: [1, 0, 0]}
  - {name: free, mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, pose: {position: [1, 2, 3]}}
  - {name: b, mass: 1, center: [1, 0, 0]}
joints:
  - {name: j_a, type: revolute, child: a, axis: [0, 1, 0], reference: 0.1, position: 0.2}
  - {name: j_b, type: screw, parent: a, child: b, pitch: 0.5, reference: 1, position: 3}
)";

TEST(MjcfTree, OrdersPositionsAsMuJoCoDoes) {
  const Scene scene = read_scene_string(kScene, SceneFormat::kYaml);
  const Model model = compile(scene);
  Notes notes;
  const MjcfTree tree = make_mjcf_tree(scene, model, notes);
  EXPECT_EQ(tree.order, (std::vector<int>{1, 3, 2}));
  // a, the screw's hinge and slide, the free body
  EXPECT_EQ(tree.qpos0(), (std::vector<double>{0.1, 1, 0, 1, 2, 3, 1, 0, 0, 0}));
  EXPECT_EQ(tree.qpos(model.q0), (std::vector<double>{0.2, 3, 1, 1, 2, 3, 1, 0, 0, 0}));
  VectorXd v(8);
  v << 1, 2, 3, 4, 5, 6, 7, 8;
  EXPECT_EQ(tree.qvel(v), (std::vector<double>{1, 8, 4, 2, 3, 4, 5, 6, 7}));
}

// A joint's frame stands anywhere in both bodies; MuJoCo wants it in the child's, where the child is at the reference.
TEST(MjcfTree, GivesAnchorsAndAxesInTheBody) {
  Scene scene = read_scene_string(kScene, SceneFormat::kYaml);
  Joint& joint = scene.joints[0];
  joint.pose = Pose::at({0, 0, 5});
  joint.child_pose = {.rotation = Eigen::AngleAxisd(EIGEN_PI / 2, Vector3d::UnitZ()).toRotationMatrix(),
                      .position = {1, 0, 0}};
  Notes notes;
  const MjcfBody body = make_mjcf_tree(scene, compile(scene), notes).bodies[1];
  EXPECT_TRUE(body.joints[0].anchor.isApprox(Vector3d(1, 0, 0)));
  EXPECT_TRUE(body.joints[0].axis.isApprox(Vector3d(-1, 0, 0)));
  EXPECT_TRUE((body.X_PB * Vector3d(1, 0, 0)).isApprox(Vector3d(0, 0, 5)));
}

}  // namespace
}  // namespace stickslip::convert
