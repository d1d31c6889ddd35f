#include "stickslip/scene/sdf_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

namespace stickslip::sdf {
namespace {

enum class Role { kUnused, kForward, kReversed };

// Which joint carries which body.
class Tree {
 public:
  Tree(const std::vector<SdfJoint>& joints, const Scene& scene)
      : joints_(joints),
        roles_(joints.size(), Role::kUnused),
        reached_(scene.bodies.size(), false),
        at_(scene.bodies.size()) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      for (std::size_t body : {joints[j].parent, joints[j].child}) {
        if (body != kWorldBody) at_[body].push_back(j);
      }
    }
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      if (scene.bodies[i].fixed) reach(i);
    }
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (joints[j].parent == kWorldBody || joints[j].child == kWorldBody) use(j);
    }
    grow();
    for (const bool only_roots : {true, false}) {
      for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        if (reached_[i] || (only_roots && is_a_child(i))) continue;
        reach(i);
        grow();
      }
    }
  }

  Role role(std::size_t joint) const { return roles_[joint]; }

 private:
  bool is_a_child(std::size_t body) const {
    return std::any_of(at_[body].begin(), at_[body].end(), [&](std::size_t j) { return joints_[j].child == body; });
  }

  bool is_reached(std::size_t body) const { return body == kWorldBody || reached_[body]; }

  void reach(std::size_t body) {
    reached_[body] = true;
    forward_.insert(forward_.end(), at_[body].begin(), at_[body].end());
  }

  // Takes the joint to reach the one of its bodies that is not reached yet.
  bool use(std::size_t j) {
    const bool parent = is_reached(joints_[j].parent), child = is_reached(joints_[j].child);
    if (parent == child) return false;
    roles_[j] = parent ? Role::kForward : Role::kReversed;
    reach(parent ? joints_[j].child : joints_[j].parent);
    return true;
  }

  // Forwards as far as it goes; a joint is used backwards only if nothing else is left.
  void grow() {
    std::vector<std::size_t> backward;
    while (!forward_.empty() || !backward.empty()) {
      if (forward_.empty()) {
        const std::size_t j = backward.back();
        backward.pop_back();
        use(j);
        continue;
      }
      const std::size_t j = forward_.front();
      forward_.pop_front();
      if (is_reached(joints_[j].parent)) {
        use(j);
      } else {
        backward.push_back(j);
      }
    }
  }

  const std::vector<SdfJoint>& joints_;
  std::vector<Role> roles_;
  std::vector<bool> reached_;
  std::vector<std::vector<std::size_t>> at_;  // joints of each body
  std::deque<std::size_t> forward_;           // to be looked at
};

Pose pose_of(std::size_t body, const Scene& scene) { return body == kWorldBody ? Pose() : scene.bodies[body].pose; }

// X_PB(q)^-1 is the same joint with its axes the other way, the second one first.
void reverse(SdfJoint& sdf) {
  Joint& joint = sdf.joint;
  std::swap(sdf.parent, sdf.child);
  std::swap(joint.parent, joint.child);
  joint.axis = -joint.axis;
  if (joint.type == JointType::kUniversal) {
    joint.axis2 = -joint.axis2;
    std::swap(joint.axis, joint.axis2);
  }
}

// A loop is closed by what leaves the joint's freedom: two points of a hinge's axis stay together.
void close_loop(const SdfJoint& sdf, SdfContext& context, Scene& scene) {
  const Joint& joint = sdf.joint;
  std::vector<double> points;
  if (joint.type == JointType::kFixed || joint.type == JointType::kBall) points = {0};
  if (joint.type == JointType::kRevolute || joint.type == JointType::kContinuous) points = {-0.5, 0.5};
  if (points.empty()) {
    throw ModelError(
        "unsupported-loop", joint.where,
        fmt::format("joint '{}' closes a loop; only fixed, ball, revolute and continuous joints may", joint.name),
        joint.name, "remove the joint, or let the loop close at another one");
  }
  context.warn(
      "closed-loop", joint.where,
      fmt::format("joint '{}' closes a loop and becomes a constraint, without its limits and dynamics", joint.name));
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Pose X_WC = sdf.X_WJ * Pose::at(points[k] * joint.axis);
    Constraint constraint;
    constraint.kind = joint.type == JointType::kFixed ? Constraint::Kind::kWeld : Constraint::Kind::kBall;
    constraint.name = points.size() == 1 ? joint.name : fmt::format("{}_{}", joint.name, k + 1);
    constraint.where = joint.where;
    constraint.body_a = joint.parent;
    constraint.body_b = joint.child;
    constraint.pose_a = pose_of(sdf.parent, scene).inverse() * X_WC;
    constraint.pose_b = pose_of(sdf.child, scene).inverse() * X_WC;
    scene.constraints.push_back(std::move(constraint));
  }
}

// q = 0 may be forbidden, and a coupled joint may not be free to start there.
void set_start(SdfJoint& sdf, SdfContext& context) {
  Joint& joint = sdf.joint;
  const double written = joint.position.empty() ? 0 : joint.position[0];
  if (!joint.limits.bounded() && !sdf.mimic) return;
  const double wanted = sdf.mimic ? sdf.mimic->coefficients[0] : written;
  const double start = std::clamp(wanted, joint.limits.lower, joint.limits.upper);
  if (start != wanted) {
    context.warn("start-outside-limits", joint.where,
                 fmt::format("joint '{}' may not be at {}; it starts at {}", joint.name, wanted, start));
  }
  if (start != 0 || !joint.position.empty()) joint.position = {start};
}

}  // namespace

void add_joints(std::vector<SdfJoint> joints, SdfContext& context, Scene& scene) {
  const Tree tree(joints, scene);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    SdfJoint& sdf = joints[j];
    if (tree.role(j) == Role::kUnused) {
      close_loop(sdf, context, scene);
      continue;
    }
    if (tree.role(j) == Role::kReversed) {
      context.warn("reversed-joint", sdf.joint.where,
                   fmt::format("joint '{}' is turned round: '{}' carries '{}', about the opposite axis", sdf.joint.name,
                               sdf.joint.child, sdf.joint.parent));
      reverse(sdf);
    }
    sdf.joint.pose = pose_of(sdf.parent, scene).inverse() * sdf.X_WJ;
    sdf.joint.child_pose = pose_of(sdf.child, scene).inverse() * sdf.X_WJ;
    set_start(sdf, context);
    if (sdf.mimic) scene.constraints.push_back(std::move(*sdf.mimic));
    scene.joints.push_back(std::move(sdf.joint));
  }
}

}  // namespace stickslip::sdf
