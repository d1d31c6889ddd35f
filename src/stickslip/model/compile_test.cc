#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "stickslip/model/forest_testing.h"
#include "stickslip/model/model.h"

namespace stickslip {
namespace {

using forest_testing::add_body;
using forest_testing::add_joint;
using forest_testing::forest;
using forest_testing::Random;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kRoundOff = 1e-13;  // tens of operations on numbers of order 1 to 10

const JointInfo& joint(const Model& model, const std::string& name) {
  return model.joints.at(static_cast<size_t>(model.find_joint(name)));
}

const BodyInfo& body(const Model& model, const std::string& name) {
  return model.bodies.at(static_cast<size_t>(model.find_body(name)));
}

// The world is body 0 and link 0; bodies keep the order of the file.
TEST(Compile, BodiesKeepFileOrderAfterTheWorld) {
  Random random(1);
  Scene scene;
  for (const char* name : {"c", "a", "b"}) add_body(scene, random, name);
  const Model model = compile(scene);
  EXPECT_THAT(model.body_names(), ElementsAre("world", "c", "a", "b"));
  EXPECT_EQ(model.find_body("world"), 0);
  EXPECT_EQ(model.find_body("a"), 2);
  EXPECT_EQ(model.find_body("nobody"), -1);
  EXPECT_EQ(model.find_joint("nobody"), -1);
}

// Bodies welded by fixed joints share one link, whose mass, centre and inertia are those of the matter together.
TEST(Compile, WeldedBodiesAreOneLinkWithTheirInertiaTogether) {
  Random random(2);
  Scene scene;
  const MassProperties a = add_body(scene, random, "a").inertia;
  const MassProperties b = add_body(scene, random, "b").inertia;
  const MassProperties c = add_body(scene, random, "c").inertia;
  const Joint ab = add_joint(scene, random, JointType::kFixed, "a", "b");
  const Joint bc = add_joint(scene, random, JointType::kFixed, "b", "c");
  const Model model = compile(scene);

  ASSERT_EQ(model.links.size(), 2u);
  EXPECT_EQ(model.nv, 6);
  EXPECT_EQ(body(model, "c").link, body(model, "a").link);
  const Pose X_AB = ab.pose * ab.child_pose.inverse();
  const Pose X_AC = X_AB * bc.pose * bc.child_pose.inverse();
  EXPECT_LE((body(model, "c").X_LB.matrix() - X_AC.matrix()).norm(), kRoundOff);
  // From first principles: total mass, weighted centre, and moments about it.
  const double mass = a.mass + b.mass + c.mass;
  const Vector3d b_center = X_AB * b.center, c_center = X_AC * c.center;
  const Vector3d center = (a.mass * a.center + b.mass * b_center + c.mass * c_center) / mass;
  const auto about = [&](const MassProperties& part, const Matrix3d& R, const Vector3d& at) {
    return Matrix3d(R * part.inertia * R.transpose() - part.mass * skew(at - center) * skew(at - center));
  };
  const Matrix3d inertia =
      about(a, Matrix3d::Identity(), a.center) + about(b, X_AB.rotation, b_center) + about(c, X_AC.rotation, c_center);
  const Link& link = model.links[1];
  EXPECT_NEAR(link.inertia.mass, mass, kRoundOff);
  EXPECT_LE((link.inertia.center - center).norm(), kRoundOff);
  EXPECT_LE((link.inertia.inertia - inertia).norm(), kRoundOff);
  EXPECT_LE((link.first_moment - mass * center).norm(), kRoundOff);
  EXPECT_LE((link.inertia_at_origin - (inertia - mass * skew(center) * skew(center))).norm(), kRoundOff);
}

// A body fixed to the world, and one welded to it, are the world; what hangs on them starts a tree of its own.
TEST(Compile, BodiesWeldedToTheWorldAreTheWorld) {
  Random random(3);
  Scene scene;
  add_body(scene, random, "post").fixed = true;
  add_body(scene, random, "shelf");
  add_joint(scene, random, JointType::kFixed, "post", "shelf");
  add_body(scene, random, "door");
  add_joint(scene, random, JointType::kRevolute, "shelf", "door");
  add_body(scene, random, "gate");
  add_joint(scene, random, JointType::kRevolute, "post", "gate");
  const Model model = compile(scene);
  EXPECT_EQ(body(model, "post").link, 0);
  EXPECT_EQ(body(model, "shelf").link, 0);
  EXPECT_EQ(model.trees.size(), 2u);
  EXPECT_EQ(model.nv, 2);
}

// Sizes of q and v by joint type, as the layout of MuJoCo has them.
TEST(Compile, JointTypesHaveTheirSizes) {
  using enum JointType;
  const std::vector<std::tuple<JointType, int, int>> sizes = {
      {kFree, 7, 6},      {kBall, 4, 3},   {kRevolute, 1, 1},  {kContinuous, 1, 1},
      {kPrismatic, 1, 1}, {kPlanar, 3, 3}, {kUniversal, 2, 2}, {kScrew, 1, 1}};
  for (const auto& [type, nq, nv] : sizes) {
    Random random(4);
    Scene scene;
    add_body(scene, random, "body");
    add_joint(scene, random, type, kWorld, "body");
    const Model model = compile(scene);
    EXPECT_EQ(model.nq, nq) << joint_type_name(type);
    EXPECT_EQ(model.nv, nv) << joint_type_name(type);
    EXPECT_EQ(model.joints[0].nq, nq);
    EXPECT_EQ(model.joints[0].nv, nv);
    EXPECT_EQ(model.q0.size(), nq);
    EXPECT_EQ(model.v0.size(), nv);
  }
}

// q and v follow the bodies in file order even where children come before parents and trees interleave.
TEST(Compile, LayoutFollowsFileOrderAcrossTrees) {
  Random random(5);
  Scene scene;
  // Trees {b, a} and {d, c}, children first, interleaved; e is free.
  for (const char* name : {"a", "c", "e", "b", "d"}) add_body(scene, random, name);
  add_joint(scene, random, JointType::kBall, "d", "c");
  add_joint(scene, random, JointType::kRevolute, kWorld, "d");
  add_joint(scene, random, JointType::kPrismatic, "b", "a");
  add_joint(scene, random, JointType::kPlanar, kWorld, "b");
  const Model model = compile(scene);
  EXPECT_THAT(model.joint_names(), ElementsAre("a_joint", "c_joint", "e", "b_joint", "d_joint"));
  EXPECT_EQ(joint(model, "a_joint").q_start, 0);
  EXPECT_EQ(joint(model, "c_joint").q_start, 1);
  EXPECT_EQ(joint(model, "e").q_start, 5);
  EXPECT_EQ(joint(model, "b_joint").q_start, 12);
  EXPECT_EQ(joint(model, "d_joint").q_start, 15);
  EXPECT_EQ(joint(model, "c_joint").v_start, 1);
  EXPECT_EQ(joint(model, "e").v_start, 4);
  EXPECT_EQ(joint(model, "b_joint").v_start, 10);
  EXPECT_EQ(joint(model, "d_joint").v_start, 13);
}

// Parents before children, trees contiguous, and every degree of freedom in exactly one place of one tree.
TEST(Compile, TreesPartitionLinksAndDegreesOfFreedom) {
  for (unsigned seed : {1u, 2u, 3u}) {
    const Model model = compile(forest(seed));
    std::set<int> seen(model.v_of_dof.begin(), model.v_of_dof.end());
    EXPECT_EQ(seen.size(), static_cast<size_t>(model.nv));
    EXPECT_EQ(model.v_of_dof.size(), static_cast<size_t>(model.nv));
    int next = 1;
    for (size_t t = 0; t < model.trees.size(); ++t) {
      const Tree& tree = model.trees[t];
      EXPECT_EQ(tree.first_link, next);
      next += tree.link_count;
      int dof = 0;
      for (int i = tree.first_link; i < next; ++i) {
        const Link& link = model.links[static_cast<size_t>(i)];
        EXPECT_LT(link.parent, i);
        EXPECT_TRUE(link.parent == 0 ? i == tree.first_link : link.parent >= tree.first_link);
        EXPECT_EQ(link.tree, static_cast<int>(t));
        EXPECT_EQ(link.dof, dof);
        for (int k = 0; k < velocity_count(link.kind); ++k) {
          EXPECT_EQ(model.v_of_dof[static_cast<size_t>(tree.first_dof + dof + k)], link.v_start + k);
        }
        dof += velocity_count(link.kind);
      }
      EXPECT_EQ(dof, tree.nv);
    }
    EXPECT_EQ(next, static_cast<int>(model.links.size()));
    EXPECT_EQ(model.free_trees.size(), 5u);
    EXPECT_EQ(model.free_groups.size(), 2u);
    EXPECT_EQ(model.free_trees.size() + model.articulated_trees.size(), model.trees.size());
  }
}

// No matter is lost or counted twice on the way from bodies to links.
TEST(Compile, LinksCarryTheMassOfAllBodiesThatMove) {
  const Scene scene = forest(7);
  const Model model = compile(scene);
  double expected = 0, links = 0;
  for (const Body& body : scene.bodies) expected += body.fixed ? 0 : body.inertia.mass;
  for (size_t i = 1; i < model.links.size(); ++i) links += model.links[i].inertia.mass;
  EXPECT_NEAR(links, expected, kRoundOff * expected);
}

// A free body starts at its pose with its velocity; State has angular velocity in body axes, the file in world axes.
TEST(Compile, FreeBodyStartsWhereTheFileSays) {
  Random random(8);
  Scene scene;
  Body& ball = add_body(scene, random, "ball");
  ball.linear_velocity = {1, 2, 3};
  ball.angular_velocity = {0.4, 0.5, 0.6};
  const Model model = compile(scene);
  const Quaterniond q(model.q0[3], model.q0[4], model.q0[5], model.q0[6]);
  EXPECT_EQ(Vector3d(model.q0.head<3>()), ball.pose.position);
  EXPECT_LE((q.toRotationMatrix() - ball.pose.rotation).norm(), kRoundOff);
  EXPECT_EQ(Vector3d(model.v0.head<3>()), Vector3d(1, 2, 3));
  EXPECT_LE((q * Vector3d(model.v0.tail<3>()) - Vector3d(0.4, 0.5, 0.6)).norm(), kRoundOff);
}

// Joints start at their positions; quaternions are made unit; one-dof joints without a position at their reference.
TEST(Compile, JointsStartAtTheirPositions) {
  Random random(9);
  Scene scene;
  add_body(scene, random, "a");
  add_body(scene, random, "b");
  add_body(scene, random, "c");
  Joint& a = add_joint(scene, random, JointType::kRevolute, kWorld, "a");
  a.position = {0.3};
  a.velocity = {-2};
  Joint& b = add_joint(scene, random, JointType::kBall, "a", "b");
  b.position = {0, 0, 3, 4};
  add_joint(scene, random, JointType::kPrismatic, "b", "c").reference = 0.7;
  const Model model = compile(scene);
  const VectorXd expected = (VectorXd(6) << 0.3, 0, 0, 0.6, 0.8, 0.7).finished();
  EXPECT_LE((model.q0 - expected).norm(), kRoundOff);
  EXPECT_EQ(model.v0[0], -2);
  EXPECT_TRUE(model.v0.tail(4).isZero(0));
}

// Prescribed joints and bodies have no degree of freedom; a mocap body has its pose in the state.
TEST(Compile, PrescribedMotionHasNoDegreeOfFreedom) {
  Random random(10);
  Scene scene;
  add_body(scene, random, "crank");
  add_joint(scene, random, JointType::kRevolute, kWorld, "crank").motion = Motion{.velocity = 1};
  add_body(scene, random, "belt").motion = Motion{.velocity = 1};
  const Pose pose = add_body(scene, random, "target").pose;
  scene.bodies.back().mocap = true;
  const Model model = compile(scene);
  EXPECT_EQ(model.nq, 0);
  EXPECT_EQ(model.nv, 0);
  ASSERT_EQ(model.mocap0.size(), 7);
  EXPECT_EQ(Vector3d(model.mocap0.head<3>()), pose.position);
  const Quaterniond q(model.mocap0[3], model.mocap0[4], model.mocap0[5], model.mocap0[6]);
  EXPECT_LE((q.toRotationMatrix() - pose.rotation).norm(), kRoundOff);
}

// A joint that moves no mass is warned of, by name, once; one with armature, or with mass further out, is not.
TEST(Compile, WarnsOfMasslessSubtreesOnce) {
  Random random(11);
  Scene scene;
  for (const char* name : {"ghost", "rotor", "arm", "hand"}) add_body(scene, random, name);
  scene.bodies[0].inertia = scene.bodies[1].inertia = scene.bodies[2].inertia = {};
  add_joint(scene, random, JointType::kPlanar, kWorld, "ghost").where = {"m.yaml", 3, 5};
  add_joint(scene, random, JointType::kRevolute, kWorld, "rotor").armature = 1;
  add_joint(scene, random, JointType::kRevolute, kWorld, "arm");
  add_joint(scene, random, JointType::kRevolute, "arm", "hand");
  const Model model = compile(scene);
  ASSERT_EQ(model.warnings.size(), 1u);
  EXPECT_EQ(model.warnings[0].code, "massless-subtree");
  EXPECT_EQ(model.warnings[0].where.line, 3);
  EXPECT_THAT(model.warnings[0].message, HasSubstr("'ghost_joint'"));
}

// What a keyframe gives replaces the start; what it leaves empty is the start.
TEST(Compile, KeyframesFallBackToTheStart) {
  Random random(12);
  Scene scene;
  add_body(scene, random, "a");
  add_joint(scene, random, JointType::kRevolute, kWorld, "a").position = {0.3};
  add_body(scene, random, "target").mocap = true;
  scene.actuators.push_back({.name = "m", .joint = "a_joint", .control = 0.9});
  scene.keyframes.push_back({.name = "home", .time = 2, .q = {1.5}, .mocap_position = {7, 8, 9}});
  scene.keyframes.push_back({.name = "push", .v = {-1}, .ctrl = {4}, .mocap_quaternion = {0, 1, 0, 0}});
  const Model model = compile(scene);
  ASSERT_EQ(model.keyframes.size(), 2u);
  EXPECT_EQ(model.keyframes[0].time, 2);
  EXPECT_EQ(model.keyframes[0].q[0], 1.5);
  EXPECT_EQ(model.keyframes[0].v, model.v0);
  EXPECT_EQ(model.keyframes[0].ctrl[0], 0.9);
  EXPECT_EQ(Vector3d(model.keyframes[0].mocap.head<3>()), Vector3d(7, 8, 9));
  EXPECT_EQ(model.keyframes[0].mocap.tail<4>(), model.mocap0.tail<4>());
  EXPECT_EQ(model.keyframes[1].q[0], 0.3);
  EXPECT_EQ(model.keyframes[1].v[0], -1);
  EXPECT_EQ(model.keyframes[1].ctrl[0], 4);
  EXPECT_EQ(model.keyframes[1].mocap.tail<4>(), Eigen::Vector4d(0, 1, 0, 0));
}

// A free body and a joint of another body may have the same name in the file: the free body's joint is not written.
TEST(Compile, FreeBodyMayShareItsNameWithAJoint) {
  Random random(13);
  Scene scene;
  add_body(scene, random, "door");
  add_body(scene, random, "panel");
  add_joint(scene, random, JointType::kRevolute, kWorld, "panel").name = "door";
  EXPECT_NO_THROW(compile(scene));
}

// A chain of 3000 links compiles without recursion running out of stack; written leaf first, its order is the file's.
TEST(Compile, ChainOfThreeThousandLinksWrittenLeafFirst) {
  constexpr int kLinks = 3000;
  Random random(14);
  Scene scene;
  const auto name = [](int i) { return i == 0 ? kWorld : "link" + std::to_string(i); };
  for (int i = kLinks; i > 0; --i) {
    add_body(scene, random, name(i));
    add_joint(scene, random, JointType::kRevolute, name(i - 1), name(i));
  }
  const Model model = compile(scene);
  EXPECT_EQ(model.nv, kLinks);
  EXPECT_EQ(model.trees.size(), 1u);
  EXPECT_EQ(joint(model, "link3000_joint").q_start, 0);
  EXPECT_EQ(body(model, "link3000").link, kLinks);
}

}  // namespace
}  // namespace stickslip
