#include "stickslip/scene/yaml_compose.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace stickslip {
namespace {

class Prefixer {
 public:
  explicit Prefixer(const std::string& prefix) : prefix_(prefix) {}
  void operator()(std::string& name) const {
    if (!name.empty() && name != kWorld) name = prefix_ + name;
  }
  void operator()(std::vector<Geometry>& geometry) const {
    for (Geometry& g : geometry) (*this)(g.name), (*this)(g.material);
  }

 private:
  const std::string& prefix_;
};

// `body_pose` is where the joint starts if it does not say so itself.
void place_free_joint(const Pose& X_WS, const Pose& body_pose, Joint& joint) {
  // q of a free joint is where the body is in the world, so the start moves, not the joint's frame:
  // X_WS X_PF X_FM = X_PF X_FM' gives X_FM' = X_PF^-1 X_WS X_PF X_FM.
  Pose X_FM = body_pose;
  if (joint.position.size() == 7) {
    const std::vector<double>& q = joint.position;
    X_FM = Pose::from_quaternion(Quaterniond(q[3], q[4], q[5], q[6]), {q[0], q[1], q[2]});
  }
  X_FM = joint.pose.inverse() * X_WS * joint.pose * X_FM;
  const Quaterniond r = X_FM.quaternion();
  const Vector3d& p = X_FM.position;
  joint.position = {p.x(), p.y(), p.z(), r.w(), r.x(), r.y(), r.z()};
  if (joint.velocity.size() == 6) {  // linear in the axes of F, angular in the body's
    Eigen::Map<Vector3d> linear(joint.velocity.data());
    linear = (joint.pose.rotation.transpose() * X_WS.rotation * joint.pose.rotation * linear).eval();
  }
}

template <typename T>
void move_into(std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

// Robots and families of another file are others.
void count_on(int Body::* number, const Scene& scene, Scene& part) {
  int last = 0;
  for (const Body& body : scene.bodies) last = std::max(last, body.*number);
  for (Body& body : part.bodies) {
    if (body.*number != 0) body.*number += last;
  }
}

}  // namespace

void add_prefix(const std::string& prefix, Scene& scene) {
  if (prefix.empty()) return;
  const Prefixer rename(prefix);
  for (Material& m : scene.materials) rename(m.name);
  rename(scene.world_geometry);
  for (Body& b : scene.bodies) rename(b.name), rename(b.geometry);
  for (Joint& j : scene.joints) rename(j.name), rename(j.parent), rename(j.child);
  for (Tendon& t : scene.tendons) {
    rename(t.name);
    for (Tendon::Term& term : t.terms) rename(term.joint);
  }
  for (Actuator& a : scene.actuators) rename(a.name), rename(a.joint), rename(a.tendon);
  for (Constraint& c : scene.constraints) {
    rename(c.name), rename(c.body_a), rename(c.body_b), rename(c.joint_a), rename(c.joint_b);
  }
  for (Frame& f : scene.frames) rename(f.name), rename(f.body);
  for (Sensor& s : scene.sensors) rename(s.name), rename(s.object);
  for (ContactPair& p : scene.contact_pairs) rename(p.geometry_a), rename(p.geometry_b), rename(p.material);
  for (ContactExclusion& e : scene.contact_exclusions) rename(e.body_a), rename(e.body_b);
}

void place(const Pose& X_WS, Scene& scene) {
  for (Geometry& g : scene.world_geometry) {
    g.pose = X_WS * g.pose;
    g.surface_velocity = X_WS.rotation * g.surface_velocity;
  }
  std::unordered_map<std::string, Pose> body_poses;
  for (Body& b : scene.bodies) {
    body_poses.emplace(b.name, b.pose);
    b.pose = X_WS * b.pose;
    b.linear_velocity = X_WS.rotation * b.linear_velocity;
    b.angular_velocity = X_WS.rotation * b.angular_velocity;
  }
  for (Joint& j : scene.joints) {
    if (j.parent != kWorld) continue;
    if (j.type == JointType::kFree) {
      place_free_joint(X_WS, body_poses[j.child], j);
    } else {
      j.pose = X_WS * j.pose;
    }
  }
  for (Constraint& c : scene.constraints) {
    if (c.kind == Constraint::Kind::kCoupler) continue;
    if (c.body_a == kWorld) c.pose_a = X_WS * c.pose_a;
    if (c.body_b == kWorld) c.pose_b = X_WS * c.pose_b;
  }
  for (Frame& f : scene.frames) {
    if (f.body == kWorld) f.pose = X_WS * f.pose;
  }
}

void append(Scene&& part, Scene& scene) {
  count_on(&Body::robot, scene, part);
  count_on(&Body::family, scene, part);
  move_into(part.materials, scene.materials);
  move_into(part.bodies, scene.bodies);
  move_into(part.world_geometry, scene.world_geometry);
  move_into(part.joints, scene.joints);
  move_into(part.tendons, scene.tendons);
  move_into(part.actuators, scene.actuators);
  move_into(part.constraints, scene.constraints);
  move_into(part.frames, scene.frames);
  move_into(part.sensors, scene.sensors);
  move_into(part.contact_pairs, scene.contact_pairs);
  move_into(part.contact_exclusions, scene.contact_exclusions);
  move_into(part.warnings, scene.warnings);
}

}  // namespace stickslip
