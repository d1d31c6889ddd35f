#pragma once

#include <algorithm>
#include <random>
#include <string>

#include "stickslip/math/rotation.h"
#include "stickslip/model/model.h"

// Random worlds with every kind of joint, for the tests of model/ and of all that stands on it.
namespace stickslip::forest_testing {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double uniform(double lower, double upper) { return std::uniform_real_distribution<double>(lower, upper)(engine_); }
  Vector3d vector(double scale = 1) { return {uniform(-scale, scale), uniform(-scale, scale), uniform(-scale, scale)}; }
  VectorXd vector_of(Eigen::Index size, double scale = 1) {
    return VectorXd::NullaryExpr(size, [&] { return uniform(-scale, scale); });
  }
  Vector3d direction() {
    std::normal_distribution<double> normal;
    return Vector3d(normal(engine_), normal(engine_), normal(engine_)).normalized();
  }
  Quaterniond rotation() { return exp_quaternion(uniform(0, 3.1) * direction()); }
  Pose pose() { return Pose::from_quaternion(rotation(), vector()); }
  // Off-centre, with a full inertia matrix of real matter.
  MassProperties mass() {
    const Matrix3d R = rotation().toRotationMatrix();
    const Vector3d s(uniform(0.1, 1), uniform(0.1, 1), uniform(0.1, 1));
    const double m = uniform(0.5, 2);
    return {m, vector(0.5),
            R * Vector3d(m * (s.y() + s.z()), m * (s.x() + s.z()), m * (s.x() + s.y())).asDiagonal() * R.transpose()};
  }
  std::mt19937& engine() { return engine_; }

 private:
  std::mt19937 engine_;
};

// Adds a body of random matter to the scene.
inline Body& add_body(Scene& scene, Random& random, const std::string& name) {
  scene.bodies.push_back({.name = name, .inertia = random.mass(), .pose = random.pose()});
  return scene.bodies.back();
}

// Adds a joint with random frames and axes. Its name is the child's with `suffix`.
inline Joint& add_joint(Scene& scene, Random& random, JointType type, const std::string& parent,
                        const std::string& child, const std::string& suffix = "_joint") {
  Joint joint{.name = child + suffix, .type = type, .parent = parent, .child = child};
  joint.pose = random.pose();
  joint.child_pose = random.pose();
  joint.axis = 2 * random.direction();  // not unit: only its direction counts
  joint.axis2 = 0.5 * random.direction();
  joint.pitch = random.uniform(-0.3, 0.3);
  joint.reference = random.uniform(-0.5, 0.5);
  scene.joints.push_back(joint);
  return scene.joints.back();
}

struct ForestOptions {
  bool prescribed = true;              // bodies and joints with prescribed motion, and a mocap body
  bool forces = false;                 // springs, damping, tendons, actuators, gravity compensation
  Vector3d origin = Vector3d::Zero();  // of everything
};

inline Motion sine(const Vector3d& axis, bool rotates) {
  return {
      .kind = Motion::Kind::kSine, .axis = axis, .rotates = rotates, .amplitude = 0.4, .frequency = 0.7, .phase = 0.3};
}

inline void add_forest_forces(Scene& scene, Random& random) {
  for (Joint& joint : scene.joints) {
    if (joint.motion || joint.type == JointType::kFixed) continue;
    joint.stiffness = random.uniform(1, 20);
    joint.damping = random.uniform(0.1, 2);
    joint.spring_reference = random.uniform(-0.5, 0.5);
  }
  scene.tendons.push_back({.name = "cable",
                           .terms = {{"upper_joint", 0.7}, {"tail_joint", -1.3}, {"nut_joint", 0.4}},
                           .stiffness = 30,
                           .damping = 0.6,
                           .spring_rest = {-0.1, 0.1}});
  const auto actuate = [&](const std::string& name, const std::string& joint, std::array<double, 3> gain,
                           std::array<double, 3> bias) {
    scene.actuators.push_back({.name = name,
                               .type = "general",
                               .joint = joint,
                               .gear = {1.5, -0.4, 2, 0.3, 0.2, 0.1},
                               .gain = gain,
                               .bias = bias,
                               .control = random.uniform(-1, 1)});
  };
  actuate("motor", "upper_joint", {1, 0, 0}, {0, 0, 0});
  actuate("position", "tail_joint", {40, 0, 0}, {0, -40, -3});
  actuate("velocity", "nut_joint", {5, 0, 0}, {0, 0, -5});
  actuate("affine", "antenna_joint", {1, 0.3, -0.2}, {0.4, -2, -0.7});
  actuate("ball_motor", "hand_joint", {2, 0, 0}, {0, 0, 0});
  actuate("thruster", "torso_joint", {3, 0, 0}, {0, 0, 0});
  scene.actuators.push_back({.name = "winch",
                             .type = "general",
                             .tendon = "cable",
                             .gear = {0.8, 0, 0, 0, 0, 0},
                             .gain = {2, 0, 0},
                             .bias = {0, -5, -0.5},
                             .control = 0.7});
  for (Body& body : scene.bodies) {
    if (body.name == "free1" || body.name == "hand" || body.name == "lump") body.gravity_scale = 0.25;
  }
}

// Every kind of joint, in one world: lone free bodies (five, one of them with a welded part), a floating base with
// branches, a free joint on a moving parent, a body with three joints, prescribed bodies and joints with children.
// Bodies stand in random file order, so that trees interleave and children come before parents.
inline Scene forest(unsigned seed, const ForestOptions& options = {}) {
  using enum JointType;
  Random random(seed);
  Scene scene;
  scene.gravity = {0.7, -1.3, -9.2};
  for (int i = 0; i < 5; ++i) add_body(scene, random, "free" + std::to_string(i));
  add_body(scene, random, "lump");
  add_joint(scene, random, kFixed, "free2", "lump");

  add_body(scene, random, "torso");
  add_joint(scene, random, kFree, kWorld, "torso");
  add_body(scene, random, "upper");
  add_joint(scene, random, kRevolute, "torso", "upper").armature = 0.3;
  add_body(scene, random, "fore");
  add_joint(scene, random, kUniversal, "upper", "fore");
  add_body(scene, random, "hand");
  add_joint(scene, random, kBall, "fore", "hand").armature = 0.1;
  add_body(scene, random, "tail");
  add_joint(scene, random, kScrew, "torso", "tail");
  add_body(scene, random, "tool");
  add_joint(scene, random, kPlanar, "torso", "tool").armature = 0.2;
  add_body(scene, random, "rider");
  add_joint(scene, random, kFree, "torso", "rider");
  add_body(scene, random, "antenna");
  add_joint(scene, random, kContinuous, "rider", "antenna");

  add_body(scene, random, "post").fixed = true;
  add_body(scene, random, "nut");
  add_joint(scene, random, kScrew, "post", "nut");
  add_body(scene, random, "bob");
  add_joint(scene, random, kPrismatic, kWorld, "bob", "_joint_a");
  add_joint(scene, random, kRevolute, kWorld, "bob", "_joint_b");
  add_joint(scene, random, kBall, kWorld, "bob", "_joint_c");

  if (options.prescribed) {
    add_body(scene, random, "belt").motion = sine(3 * random.direction(), false);
    add_body(scene, random, "cart");
    add_joint(scene, random, kPrismatic, "belt", "cart");
    add_body(scene, random, "turntable").motion = sine(random.direction(), true);
    add_body(scene, random, "dancer");
    add_joint(scene, random, kFree, "turntable", "dancer");
    add_body(scene, random, "crank");
    add_joint(scene, random, kRevolute, "upper", "crank").motion = sine(Vector3d::UnitX(), false);
    add_body(scene, random, "rod");
    add_joint(scene, random, kBall, "crank", "rod");
    add_body(scene, random, "slider");
    add_joint(scene, random, kPrismatic, kWorld, "slider").motion = sine(Vector3d::UnitX(), false);
    add_body(scene, random, "flap");
    add_joint(scene, random, kRevolute, "slider", "flap");
    add_body(scene, random, "target").mocap = true;
    add_body(scene, random, "flag");
    add_joint(scene, random, kRevolute, "target", "flag");
  }
  if (options.forces) add_forest_forces(scene, random);
  for (Body& body : scene.bodies) body.pose.position += options.origin;
  for (Joint& joint : scene.joints) {
    if (joint.parent == kWorld) joint.pose.position += options.origin;
  }
  // The later joints of a body with several stand in its own frame.
  for (Joint& joint : scene.joints) {
    if (joint.name == "bob_joint_b" || joint.name == "bob_joint_c") joint.pose.position -= options.origin;
  }
  std::shuffle(scene.bodies.begin(), scene.bodies.end(), random.engine());
  return scene;
}

// Lengths and angles of order 1, uniformly random rotations.
inline VectorXd random_configuration(const Model& model, Random& random) {
  VectorXd q = random.vector_of(model.nq);
  for (const Link& link : model.links) {
    if (link.kind != LinkKind::kFree && link.kind != LinkKind::kBall) continue;
    const Quaterniond rotation = random.rotation();
    q.segment<4>(link.q_start + position_count(link.kind) - 4) << rotation.w(), rotation.vec();
  }
  return q;
}

inline const Body& find_body(const Scene& scene, const std::string& name) {
  return *std::find_if(scene.bodies.begin(), scene.bodies.end(), [&](const Body& body) { return body.name == name; });
}

}  // namespace stickslip::forest_testing
