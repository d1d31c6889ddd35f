#include <memory>
#include <string>

#include "bytes.h"
#include "stickslip/shapes/mass.h"
#include "stickslip/simulate/simulator.h"
#include "targets.h"

namespace stickslip::fuzzing {
namespace {

constexpr int kSteps = 200;
constexpr double kShortestRope = 0.01;  // [m]
constexpr const char* kMethods[] = {"cenic",   "anchored", "lagged",          "lagged-regularized",
                                    "similar", "sap",      "cenic-trapezoid", "semi-implicit-euler",
                                    "rk4"};

double between(Bytes& bytes, double lower, double upper) {
  return lower + (upper - lower) * (0.5 + 0.5 * bytes.unit());
}
// On a scale of powers of ten.
double magnitude(Bytes& bytes, double lower, double upper) {
  return std::pow(10, between(bytes, std::log10(lower), std::log10(upper)));
}
Vector3d small_vector(Bytes& bytes) { return {bytes.unit(), bytes.unit(), bytes.unit()}; }
Vector3d direction(Bytes& bytes) {
  const Vector3d x = small_vector(bytes);
  return x.norm() > 0.1 ? Vector3d(x.normalized()) : Vector3d::UnitZ();
}
Pose pose(Bytes& bytes) {
  const double angle = 3 * bytes.unit();
  return {Eigen::AngleAxisd(angle, direction(bytes)).toRotationMatrix(), small_vector(bytes)};
}

Shape shape(Bytes& bytes) {
  const double size = magnitude(bytes, 0.01, 1);
  switch (bytes.below(6)) {
    case 0:
      return Box{{size, between(bytes, 0.2, 2) * size, between(bytes, 0.2, 2) * size}};
    case 1:
      return Capsule{size, between(bytes, 0.5, 3) * size};
    case 2:
      return Cylinder{size, between(bytes, 0.2, 3) * size};
    case 3:
      return Ellipsoid{{size, between(bytes, 0.3, 2) * size, between(bytes, 0.3, 2) * size}};
    case 4: {
      auto mesh = std::make_shared<Mesh>();
      mesh->vertices = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, between(bytes, 0.2, 2) * size}};
      mesh->triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
      return ConvexMesh{mesh};
    }
    default:
      return Sphere{size};
  }
}

Body body(Bytes& bytes, int index) {
  Body out;
  out.name = "body" + std::to_string(index);
  Geometry geometry;
  geometry.shape = shape(bytes);
  geometry.material = "stuff";
  // Half of the bodies turn about another point than their origin.
  if (bytes.below(2)) geometry.pose.position = 0.5 * small_vector(bytes);
  out.inertia = expressed_in(geometry.pose, mass_properties(geometry.shape, magnitude(bytes, 10, 1e4)));
  out.geometry.push_back(std::move(geometry));
  out.pose = pose(bytes);
  out.linear_velocity = 3 * small_vector(bytes);
  out.angular_velocity = 10 * small_vector(bytes);
  return out;
}

// To a body before it, or to the world: a tree by construction.
Joint joint(Bytes& bytes, int index) {
  constexpr JointType kTypes[] = {JointType::kRevolute, JointType::kContinuous, JointType::kPrismatic,
                                  JointType::kBall,     JointType::kUniversal,  JointType::kPlanar,
                                  JointType::kScrew,    JointType::kFixed};
  Joint out;
  out.name = "joint" + std::to_string(index);
  out.type = kTypes[bytes.below(8)];
  const int parent = bytes.below(index + 1);
  if (parent > 0) out.parent = "body" + std::to_string(parent - 1);
  out.child = "body" + std::to_string(index);
  out.pose = pose(bytes);
  out.axis = direction(bytes);
  out.axis2 = out.axis.unitOrthogonal();
  out.pitch = 0.1 * bytes.unit();
  out.damping = bytes.below(2) ? magnitude(bytes, 1e-3, 10) : 0;
  out.stiffness = bytes.below(2) ? magnitude(bytes, 1e-2, 1e3) : 0;
  out.armature = bytes.below(2) ? magnitude(bytes, 1e-4, 1) : 0;
  out.dry_friction = bytes.below(2) ? magnitude(bytes, 1e-3, 10) : 0;
  const bool one_dof = out.type == JointType::kRevolute || out.type == JointType::kPrismatic;
  if (one_dof && bytes.below(2)) out.limits = {-between(bytes, 0, 2), between(bytes, 0, 2)};
  return out;
}

Material material(Bytes& bytes) {
  Material out;
  out.name = "stuff";
  out.stiffness = magnitude(bytes, 1e3, 1e8);
  out.dissipation = bytes.below(2) ? magnitude(bytes, 0.1, 100) : 0;
  out.static_friction = between(bytes, 0, 1.5);
  out.dynamic_friction = out.static_friction * between(bytes, 0.3, 1);
  return out;
}

struct World {
  Scene scene;
  bool only_free_bodies = true;  // then nothing but gravity changes the sum of momenta
};

// A ball or a weld between two bodies, or one and the world; half of those between free bodies hold at the start.
Constraint tie(Bytes& bytes, const Scene& scene) {
  const int count = static_cast<int>(scene.bodies.size());
  const Body &a = scene.bodies[bytes.below(count)], &b = scene.bodies[bytes.below(count)];
  Constraint out{.name = "tie", .kind = bytes.below(2) ? Constraint::Kind::kBall : Constraint::Kind::kWeld};
  out.body_a = a.name;
  if (a.name != b.name) out.body_b = b.name;
  out.pose_a.position = 0.3 * small_vector(bytes);
  out.pose_b = a.pose * out.pose_a;
  if (a.name != b.name) out.pose_b = b.pose.inverse() * out.pose_b;
  if (bytes.below(2)) out.pose_b.position += 0.1 * small_vector(bytes);
  if (bytes.below(2)) out.stiffness = magnitude(bytes, 10, 1e5);
  return out;
}

// Two joints of one degree of freedom each that move together.
void couple(Bytes& bytes, Scene& scene) {
  std::vector<std::string> names;
  for (const Joint& joint : scene.joints) {
    if (joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic) names.push_back(joint.name);
  }
  if (names.size() < 2) return;
  Constraint gear{.name = "gear", .kind = Constraint::Kind::kCoupler, .joint_a = names[0], .joint_b = names[1]};
  gear.coefficients = {0, 2 * bytes.unit(), 0, 0, 0};
  scene.constraints.push_back(gear);
}

World world(Bytes& bytes) {
  World out;
  Scene& scene = out.scene;
  scene.gravity = {0, 0, bytes.below(4) ? -9.81 : 0};
  scene.materials.push_back(material(bytes));
  const int bodies = 1 + bytes.below(6);
  for (int i = 0; i < bodies; ++i) {
    scene.bodies.push_back(body(bytes, i));
    if (bytes.below(3) != 0) continue;
    scene.joints.push_back(joint(bytes, i));
    out.only_free_bodies = false;
    if (scene.joints.back().type == JointType::kRevolute && bytes.below(2)) {
      scene.actuators.push_back({.name = "motor" + std::to_string(i), .joint = scene.joints.back().name});
      scene.actuators.back().control = 10 * bytes.unit();
    }
  }
  if (bytes.below(2)) {
    Geometry floor;
    floor.shape = HalfSpace{};
    floor.pose.position.z() = -1;
    scene.world_geometry.push_back(floor);
    out.only_free_bodies = false;
  }
  if (bodies > 1 && bytes.below(4) == 0) {
    Constraint rope{.name = "rope", .kind = Constraint::Kind::kDistance, .body_a = "body0", .body_b = "body1"};
    // Half of the ropes are as long as they must be, the others pull or push from the first step on.
    rope.pose_a.position = 0.3 * small_vector(bytes);
    const double distance =
        (scene.bodies[0].pose * rope.pose_a.position - scene.bodies[1].pose * rope.pose_b.position).norm();
    rope.length = std::max(kShortestRope, (bytes.below(2) ? between(bytes, 0, 2) : 1) * distance);
    if (bytes.below(2)) rope.stiffness = magnitude(bytes, 10, 1e5);
    scene.constraints.push_back(rope);
  }
  if (bytes.below(3) == 1) {  // not 0: that is what bytes are that ran out
    scene.constraints.push_back(tie(bytes, scene));
    if (scene.constraints.back().body_b == kWorld) out.only_free_bodies = false;
    couple(bytes, scene);
  }
  return out;
}

Vector3d momentum(const Simulator& simulator) {
  Vector3d sum = Vector3d::Zero();
  const Model& model = simulator.model();
  for (int i = 1; i < static_cast<int>(model.bodies.size()); ++i) {
    const MassProperties& matter = model.bodies[static_cast<std::size_t>(i)].inertia;
    const LinkVelocity velocity = simulator.body_velocity(i);
    const Vector3d arm = simulator.body_pose(i).rotation * matter.center;
    sum += matter.mass * (velocity.v + velocity.w.cross(arm));
  }
  return sum;
}

// Of all that flies about, however it is directed.
double largest_momentum(const Simulator& simulator) {
  double sum = 0;
  const Model& model = simulator.model();
  for (int i = 1; i < static_cast<int>(model.bodies.size()); ++i) {
    const LinkVelocity velocity = simulator.body_velocity(i);
    sum += model.bodies[static_cast<std::size_t>(i)].inertia.mass * (velocity.v.norm() + velocity.w.norm());
  }
  return sum;
}

}  // namespace

void simulate(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const int method = bytes.below(static_cast<int>(std::size(kMethods)));
  SimulatorOptions options{.method = kMethods[method]};
  const bool controlled = options.method.starts_with("cenic");
  if (controlled) {
    options.accuracy = magnitude(bytes, 1e-5, 1e-1);
  } else {
    options.time_step = magnitude(bytes, 1e-4, 2e-2);
  }
  const World made = world(bytes);
  const Model model = compile(made.scene);
  Simulator simulator(model, options);
  const Vector3d before = momentum(simulator);
  double scale = largest_momentum(simulator);
  StatusCode last = StatusCode::kOk;
  for (int i = 0; i < kSteps; ++i) {
    const Status status = simulator.step();
    require(simulator.state().q.allFinite() && simulator.state().v.allFinite(), "the state is finite");
    last = status.code;
    if (!status.ok()) break;  // said so; an explicit method may blow up
    scale = std::max(scale, largest_momentum(simulator));
  }
  if (!made.only_free_bodies) return;
  const Vector3d expected = before + model.total_mass() * simulator.time() * model.gravity;
  // A rigid rope half a metre too short makes hundreds of m/s of it in a step, and fixed steps in which links turn many
  // times may blow up, which a status says sooner or later. Momentum is kept all the same, up to a part of what is
  // exchanged: the largest that ever flew about.
  // The convex solver stops at a relative 1e-5 or so of a step's impulses; errors of opposite signs add up over steps.
  constexpr double kOfImpulses = 1e-3;
  const double error = (momentum(simulator) - expected).norm();
  const double allowed = kOfImpulses * (scale + model.total_mass() * model.gravity.norm() * simulator.time());
  if (error <= allowed) return;
  std::fprintf(stderr, "%s, %s: after %g s the momentum is off by %g kg m/s, of %g allowed\n", kMethods[method],
               to_string(last), simulator.time(), error, allowed);
  require(false, "momentum changes by what gravity gives");
}

}  // namespace stickslip::fuzzing
