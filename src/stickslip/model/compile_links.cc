#include <fmt/format.h>

#include <cmath>

#include <algorithm>
#include <utility>

#include "stickslip/math/rotation.h"
#include "stickslip/model/bounds.h"
#include "stickslip/model/compiler.h"

namespace stickslip::compiler {
namespace {

// A frame being moved from joint to joint: where the body stands on the link built last.
struct Attachment {
  int link = 0;
  Pose X_LB;
};

int add_link(Model& model, Link link) {
  const int index = static_cast<int>(model.links.size());
  if (link.parent == 0) {
    model.trees.push_back({.first_link = index, .first_dof = static_cast<int>(model.v_of_dof.size())});
  }
  Tree& tree = model.trees.back();
  link.tree = static_cast<int>(model.trees.size()) - 1;
  link.dof = tree.nv;
  tree.link_count++;
  tree.nv += velocity_count(link.kind);
  for (int k = 0; k < velocity_count(link.kind); ++k) model.v_of_dof.push_back(link.v_start + k);
  model.links.push_back(std::move(link));
  return index;
}

// Start configuration of a joint with its own numbers, or neutral.
void set_start(Model& model, const JointInfo& info, const Joint& joint, const Body& body) {
  VectorXd& q0 = model.q0;
  if (!joint.position.empty()) {
    for (int i = 0; i < info.nq; ++i) q0[info.q_start + i] = joint.position[i];
  } else if (info.type == JointType::kFree) {
    const Quaterniond rotation = body.pose.quaternion();
    q0.segment<3>(info.q_start) = body.pose.position;
    q0.segment<4>(info.q_start + 3) << rotation.w(), rotation.vec();
  } else if (info.type == JointType::kBall) {
    q0[info.q_start] = 1;
  } else if (info.nq == 1) {
    q0[info.q_start] = joint.reference;
  }
  if (!joint.velocity.empty()) {
    for (int i = 0; i < info.nv; ++i) model.v0[info.v_start + i] = joint.velocity[i];
  } else if (info.type == JointType::kFree) {
    // State::v has angular velocity in the body's axes; the scene gives world axes (here: the joint's fixed frame).
    model.v0.segment<3>(info.v_start) = body.linear_velocity;
    model.v0.segment<3>(info.v_start + 3) = body.pose.rotation.transpose() * body.angular_velocity;
  }
}

// Rotations given as four numbers are made unit; four zeros name no rotation.
void normalize_start_quaternion(Model& model, const JointInfo& info, const Joint& joint) {
  if (info.type != JointType::kFree && info.type != JointType::kBall) return;
  auto quaternion = model.q0.segment<4>(info.q_start + info.nq - 4);
  const double norm = quaternion.norm();
  if (!(norm > kShortestQuaternion) || !std::isfinite(norm)) {
    throw ModelError("bad-quaternion", joint.where,
                     fmt::format("joint '{}' starts with a quaternion of length {}", joint.name, norm), "",
                     "give a unit quaternion (w, x, y, z), such as 1 0 0 0");
  }
  quaternion /= norm;
}

// Springs of one-dof joints rest where the file says, of ball joints at no rotation, of free joints at the start.
void set_spring_rest(Model& model, const JointInfo& info, const Joint& joint) {
  auto rest = model.q_spring.segment(info.q_start, info.nq);
  if (info.nq == 1) {
    rest[0] = joint.spring_reference;
  } else if (info.type == JointType::kBall) {
    rest[0] = 1;
  } else {
    rest = model.q0.segment(info.q_start, info.nq);
  }
}

void set_joint_constants(Link& link, const Joint& joint) {
  link.pitch = joint.pitch;
  if (elementary_joints(joint).size() == 1) link.reference = joint.reference;
  link.armature = joint.armature;
  link.damping = joint.damping;
  link.stiffness = joint.stiffness;
}

Attachment add_joint_links(Context& context, const Joint& joint, Attachment from, const Body& body) {
  Model& model = context.model;
  if (joint.type == JointType::kFixed) return {from.link, from.X_LB * joint.pose * joint.child_pose.inverse()};

  const int joint_index = context.joint_index.at(joint.name);
  JointInfo& info = model.joints[joint_index];
  info.link = static_cast<int>(model.links.size());
  int q_start = info.q_start;
  int v_start = info.v_start;
  Pose X_LF = from.X_LB * joint.pose;
  Matrix3d R_FL = Matrix3d::Identity();  // axes of the link built last, in F
  for (const ElementaryJoint& part : elementary_joints(joint)) {
    const bool has_axis = part.kind != LinkKind::kFree && part.kind != LinkKind::kBall;
    const Matrix3d R_FN = has_axis ? rotation_from_z(part.axis) : Matrix3d::Identity();
    Link link{.kind = part.kind, .parent = from.link, .q_start = q_start, .v_start = v_start};
    link.X_PF = X_LF * Pose{R_FL.transpose() * R_FN, Vector3d::Zero()};
    link.joint = joint_index;
    set_joint_constants(link, joint);
    if (joint.motion) {
      Motion motion = *joint.motion;
      motion.rotates = part.kind == LinkKind::kRevolute;
      link.kind = LinkKind::kPrescribed;
      link.motion = info.motion = static_cast<int>(model.motions.size());
      model.motions.emplace_back(motion);
    }
    q_start += position_count(link.kind);
    v_start += velocity_count(link.kind);
    from.link = add_link(model, link);
    X_LF = Pose{};
    R_FL = R_FN;
  }
  set_start(model, info, joint, body);
  normalize_start_quaternion(model, info, joint);
  set_spring_rest(model, info, joint);
  from.X_LB = (joint.child_pose * Pose{R_FL, Vector3d::Zero()}).inverse();
  return from;
}

// A body that stands alone: fixed to the world, moved by a prescribed motion, or set from outside.
Attachment add_standing_body(Context& context, const Body& body, BodyInfo& info) {
  Model& model = context.model;
  if (body.mocap) {
    const int index = static_cast<int>(model.mocap0.size()) / 7;
    const Quaterniond rotation = body.pose.quaternion();
    model.mocap0.conservativeResize(7 * (index + 1));
    model.mocap0.tail<7>() << body.pose.position, rotation.w(), rotation.vec();
    info.mocap = index;
    return {add_link(model, Link{.mocap = index}), Pose{}};
  }
  if (!body.motion) return {0, body.pose};
  const Owner owner{"body", body.name, body.where};
  check_motion(*body.motion, owner);
  const Matrix3d R_BL = rotation_from_z(unit_axis(body.motion->axis, owner));
  Link link;
  link.X_PF = body.pose * Pose{R_BL, Vector3d::Zero()};
  link.motion = static_cast<int>(model.motions.size());
  model.motions.emplace_back(*body.motion);
  return {add_link(model, link), Pose{R_BL.transpose(), Vector3d::Zero()}};
}

void attach_body(Context& context, int index) {
  Model& model = context.model;
  BodyInfo& info = model.bodies[index];
  const Body& body = context.scene.bodies[static_cast<size_t>(index) - 1];
  const std::vector<Joint>& joints = context.joints_of_body[index];
  Attachment at;
  if (joints.empty()) {
    at = add_standing_body(context, body, info);
  } else {
    info.parent = context.body_index.at(joints.front().parent);
    const BodyInfo& parent = model.bodies[info.parent];
    at = {parent.link, parent.X_LB};
    for (const Joint& joint : joints) at = add_joint_links(context, joint, at, body);
  }
  info.link = at.link;
  info.X_LB = at.X_LB;
  Link& link = model.links[at.link];
  link.inertia = link.inertia + expressed_in(at.X_LB, body.inertia);
}

std::vector<std::vector<int>> children_of_bodies(const Context& context) {
  std::vector<std::vector<int>> children(context.model.bodies.size());
  for (size_t i = 1; i < context.model.bodies.size(); ++i) {
    const std::vector<Joint>& joints = context.joints_of_body[i];
    const int parent = joints.empty() ? 0 : context.body_index.at(joints.front().parent);
    children[parent].push_back(static_cast<int>(i));
  }
  return children;
}

// From a body that never reaches the world, parent by parent: after as many steps as there are bodies we are in the
// cycle itself, not on a branch that hangs on it.
[[noreturn]] void throw_cycle(const Context& context, size_t body) {
  for (size_t step = 0; step < context.model.bodies.size(); ++step) {
    body = static_cast<size_t>(context.body_index.at(context.joints_of_body[body].front().parent));
  }
  const std::string& name = context.model.bodies[body].name;
  throw ModelError("joint-cycle", context.joints_of_body[body].front().where,
                   fmt::format("body '{}' is in a cycle of joints that never reaches the world", name), name,
                   "break the cycle with a constraint (weld, ball or distance) in place of one joint");
}

// Depth first, children in file order, without recursion: chains may be thousands of links long.
// A fixed body is no link of its own, so its children start new trees; a tree is complete before the next begins.
void attach_all(Context& context) {
  const std::vector<std::vector<int>> children = children_of_bodies(context);
  std::vector<int> stack(children[0].rbegin(), children[0].rend());
  std::vector<bool> attached(children.size(), false);
  while (!stack.empty()) {
    const int body = stack.back();
    stack.pop_back();
    attach_body(context, body);
    attached[body] = true;
    const std::vector<int>& next = children[body];
    stack.insert(stack.end(), next.rbegin(), next.rend());
  }
  const auto lost = std::find(attached.begin() + 1, attached.end(), false);
  if (lost != attached.end()) throw_cycle(context, static_cast<size_t>(lost - attached.begin()));
}

// A degree of freedom that moves no mass has no acceleration: legal to look at, impossible to simulate.
void warn_of_massless_subtrees(Model& model) {
  std::vector<double> mass(model.links.size());
  int last_warned = -1;  // a joint of several links is warned of once
  for (size_t i = model.links.size() - 1; i > 0; --i) {
    const Link& link = model.links[i];
    mass[i] += link.inertia.mass + link.inertia.inertia.trace();
    mass[link.parent] += mass[i];
    if (mass[i] > 0 || velocity_count(link.kind) == 0 || link.armature > 0) continue;
    if (std::exchange(last_warned, link.joint) == link.joint) continue;
    const JointInfo& joint = model.joints[link.joint];
    model.warnings.push_back(
        {"massless-subtree", joint.where,
         fmt::format("joint '{}' moves no mass: the mass matrix is singular; give its bodies a mass "
                     "or the joint an armature before simulating",
                     joint.name)});
  }
}

void group_free_bodies(Model& model) {
  const int count = static_cast<int>(model.free_trees.size());
  for (int start = 0; start < count; start += kPackSize) {
    FreeBodyGroup group;
    for (int k = 0; k < kPackSize; ++k) {
      const auto lane = static_cast<size_t>(k);
      group.body[lane] = std::min(start + k, count - 1);
      const int tree = model.free_trees[group.body[lane]];
      group.link[lane] = model.trees[tree].first_link;
      const Link& link = model.links[group.link[lane]];
      group.q_start[lane] = link.q_start;
      group.v_start[lane] = link.v_start;
      const MassProperties& inertia = link.inertia;
      group.mass[k] = inertia.mass;
      group.center.x[k] = inertia.center.x();
      group.center.y[k] = inertia.center.y();
      group.center.z[k] = inertia.center.z();
      group.inertia.xx[k] = inertia.inertia(0, 0);
      group.inertia.yy[k] = inertia.inertia(1, 1);
      group.inertia.zz[k] = inertia.inertia(2, 2);
      group.inertia.xy[k] = inertia.inertia(0, 1);
      group.inertia.xz[k] = inertia.inertia(0, 2);
      group.inertia.yz[k] = inertia.inertia(1, 2);
    }
    model.free_groups.push_back(group);
  }
}

}  // namespace

void build_links(Context& context) {
  Model& model = context.model;
  model.q0.setZero(model.nq);
  model.q_spring.setZero(model.nq);
  model.v0.setZero(model.nv);
  model.links.push_back(Link{});  // the world
  attach_all(context);
  for (Link& link : model.links) {
    link.first_moment = link.inertia.mass * link.inertia.center;
    link.inertia_at_origin = link.inertia.inertia_about_origin();
  }
  for (size_t i = 0; i < model.trees.size(); ++i) {
    Tree& tree = model.trees[i];
    const Link& root = model.links[tree.first_link];
    tree.is_free_body = tree.link_count == 1 && root.kind == LinkKind::kFree && root.X_PF.position.isZero(0) &&
                        root.X_PF.rotation.isIdentity(0);
    (tree.is_free_body ? model.free_trees : model.articulated_trees).push_back(static_cast<int>(i));
  }
  group_free_bodies(model);
  warn_of_massless_subtrees(model);
}

}  // namespace stickslip::compiler
