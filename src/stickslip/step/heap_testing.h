#pragma once

#include "stickslip/math/rotation.h"
#include "stickslip/model/model.h"

// Worlds with contact, for the tests of the convex methods.
namespace stickslip::heap_testing {

struct HeapOptions {
  int count = 12;
  double stiffness = 1e5;
  double friction = 0.5;
  double mass_ratio = 1;  // of every third body
  double spacing = 0.09;  // of centres; bodies are 0.1 wide, so that they overlap at the start
};

inline Material material(const HeapOptions& options) {
  return {.name = "stuff",
          .stiffness = 2 * options.stiffness,
          .dissipation = 10,
          .static_friction = options.friction,
          .dynamic_friction = options.friction};
}

inline std::string numbered(std::string name, int i) { return name.append(std::to_string(i)); }

inline Body floor() {
  Body body{.name = "floor", .fixed = true};
  body.geometry.push_back({.shape = HalfSpace{}, .material = "stuff"});
  return body;
}

inline Body block(const std::string& name, const Shape& shape, double mass, const Pose& pose) {
  Body body{.name = name, .inertia = {mass, Vector3d::Zero(), Matrix3d::Identity() * (mass * 0.01 / 6)}, .pose = pose};
  body.geometry.push_back({.shape = shape, .material = "stuff"});
  return body;
}

// Boxes, spheres and capsules in two leaning columns on a floor, some turned, all a little different.
inline Scene heap(const HeapOptions& options = {}) {
  Scene scene;
  scene.materials.push_back(material(options));
  scene.bodies.push_back(floor());
  for (int i = 0; i < options.count; ++i) {
    const int layer = i / 2;
    const double height = 0.05 + options.spacing * layer;
    const Vector3d position(0.11 * (i % 2) + 0.01 * i, 0.007 * (i % 3), height);
    const Quaterniond turn = exp_quaternion(0.3 * i * Vector3d(0, 0, 1));
    const Shape shape = i % 3 == 0   ? Shape(Box{Vector3d::Constant(0.1)})
                        : i % 3 == 1 ? Shape(Sphere{0.05})
                                     : Shape(Capsule{0.04, 0.03});
    const double mass = i % 3 == 2 ? options.mass_ratio : 1;
    scene.bodies.push_back(block(numbered("b", i), shape, mass, Pose::from_quaternion(turn, position)));
  }
  return scene;
}

// The same bodies in `count` heaps far from each other: islands.
inline Scene heaps(int count, const HeapOptions& options = {}) {
  Scene scene;
  scene.materials.push_back(material(options));
  scene.bodies.push_back(floor());
  for (int k = 0; k < count; ++k) {
    for (Body body : heap(options).bodies) {
      if (body.fixed) continue;
      body.name = numbered(body.name + "_", k);
      body.pose.position.x() += 3 * k;
      scene.bodies.push_back(body);
    }
  }
  return scene;
}

// One island of many: spheres side by side on the floor, in a square that overlaps a little, and a few on top that
// move.
inline Scene carpet(int side = 12) {
  Scene scene;
  scene.materials.push_back(material({}));
  scene.bodies.push_back(floor());
  constexpr double kRadius = 0.05, kSpacing = 0.0995;
  const auto add = [&](const Vector3d& position, const Vector3d& velocity) {
    const int i = static_cast<int>(scene.bodies.size());
    scene.bodies.push_back(block(numbered("b", i), Sphere{kRadius}, 0.5, Pose::at(position)));
    scene.bodies.back().linear_velocity = velocity;
  };
  for (int i = 0; i < side * side; ++i) {
    const int row = i / side;
    add({kSpacing * (i % side), kSpacing * row, kRadius}, Vector3d::Zero());
  }
  add({2.3 * kSpacing, 2.4 * kSpacing, 3.2 * kRadius}, {0.5, 0.3, -1});
  add({8.6 * kSpacing, 7.5 * kSpacing, 3.0 * kRadius}, {-0.4, 0.9, -0.5});
  return scene;
}

// A chain of boxes on hinges that falls on the floor beside a loose box: an articulated tree in contact.
inline Scene chain_on_floor(int links = 5) {
  Scene scene;
  scene.materials.push_back(material({}));
  scene.bodies.push_back(floor());
  for (int i = 0; i < links; ++i) {
    const std::string name = numbered("link", i);
    Body body = block(name, Box{{0.2, 0.05, 0.05}}, 1, {});
    body.inertia.center = {0.1, 0, 0};
    body.geometry[0].pose.position = {0.1, 0, 0};
    scene.bodies.push_back(body);
    const std::string parent = i == 0 ? "" : numbered("link", i - 1);
    if (i == 0) {
      scene.bodies.back().pose.position = {0, 0, 0.03};
      continue;
    }
    Joint joint{.name = name + "_hinge", .type = JointType::kRevolute, .parent = parent, .child = name};
    joint.pose.position = {0.2, 0, 0};
    joint.axis = i % 2 ? Vector3d::UnitY() : Vector3d::UnitZ();
    joint.position = {0.2};
    joint.limits = {-1, 1};
    joint.damping = 0.1;
    joint.dry_friction = 0.01;
    scene.joints.push_back(joint);
  }
  scene.bodies.push_back(block("loose", Box{Vector3d::Constant(0.1)}, 1, Pose::at({0.3, 0.02, 0.12})));
  return scene;
}

}  // namespace stickslip::heap_testing
