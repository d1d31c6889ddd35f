#include "stickslip/scene/urdf_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "stickslip/base/names.h"
#include "stickslip/scene/robot_mass.h"
#include "stickslip/shapes/mass.h"

namespace stickslip {
namespace {

using LinkIndex = std::unordered_map<std::string, size_t>;

LinkIndex index_links(const UrdfRobot& robot) {
  LinkIndex index;
  for (size_t i = 0; i < robot.links.size(); ++i) {
    const Body& body = robot.links[i].body;
    const auto [other, is_new] = index.emplace(body.name, i);
    if (is_new) continue;
    throw ModelError(
        "duplicate-name", body.where,
        fmt::format("there is another link '{}' at {}", body.name, robot.links[other->second].body.where.str()),
        body.name, "rename one of them");
  }
  return index;
}

void check_joint_names(const UrdfRobot& robot) {
  std::unordered_map<std::string, const Joint*> seen;
  for (const UrdfJoint& urdf : robot.joints) {
    const Joint& joint = urdf.joint;
    const auto [other, is_new] = seen.emplace(joint.name, &joint);
    if (is_new) continue;
    throw ModelError("duplicate-name", joint.where,
                     fmt::format("there is another joint '{}' at {}", joint.name, other->second->where.str()),
                     joint.name, "rename one of them");
  }
}

size_t find_link(const UrdfRobot& robot, const LinkIndex& index, const std::string& name, const Joint& joint,
                 const Location& where) {
  const auto found = index.find(name);
  if (found != index.end()) return found->second;
  std::vector<std::string> names;
  names.reserve(robot.links.size());
  for (const UrdfLink& link : robot.links) names.push_back(link.body.name);
  throw ModelError("unknown-link", where,
                   fmt::format("joint '{}' names link '{}', which does not exist", joint.name, name), name,
                   did_you_mean(name, names));
}

size_t find_root(const UrdfRobot& robot, const std::vector<const UrdfJoint*>& above) {
  if (robot.links.empty()) {
    throw ModelError("no-links", robot.where, "the robot has no <link>", "", "add at least one <link name=\"...\"/>");
  }
  std::vector<size_t> roots;
  for (size_t i = 0; i < robot.links.size(); ++i) {
    if (!above[i]) roots.push_back(i);
  }
  if (roots.size() == 1) return roots[0];
  if (roots.empty()) {
    throw ModelError("no-root", robot.joints[0].joint.where,
                     "every link is the child of a joint: the joints form a cycle", robot.joints[0].joint.name,
                     "remove the joint that closes the loop");
  }
  const Body& first = robot.links[roots[0]].body;
  const Body& second = robot.links[roots[1]].body;
  throw ModelError("several-roots", second.where,
                   fmt::format("links '{}' and '{}' both have no parent ({} links in all); a URDF is one tree",
                               first.name, second.name, roots.size()),
                   second.name, "connect it with a joint, or remove it");
}

// Joints from the root outwards; whatever is not reached hangs in a cycle.
std::vector<size_t> order_joints(const UrdfRobot& robot, const UrdfTree& tree) {
  std::vector<std::vector<size_t>> below(robot.links.size());
  for (size_t j = 0; j < tree.parent.size(); ++j) below[tree.parent[j]].push_back(j);
  std::vector<size_t> order;
  std::vector<size_t> links{tree.root};
  for (size_t i = 0; i < links.size(); ++i) {
    for (size_t j : below[links[i]]) {
      order.push_back(j);
      links.push_back(tree.child[j]);
    }
  }
  if (order.size() == robot.joints.size()) return order;
  const std::unordered_set<size_t> reached(order.begin(), order.end());
  for (size_t j = 0; j < robot.joints.size(); ++j) {
    if (reached.contains(j)) continue;
    const Joint& joint = robot.joints[j].joint;
    throw ModelError("cycle", joint.where, fmt::format("joint '{}' is part of a cycle", joint.name), joint.name,
                     "remove the joint that closes the loop");
  }
  return order;
}

}  // namespace

// Drake needs no link for the world, and files written for it have none.
void add_implied_world(UrdfRobot& robot, UrdfContext& context) {
  const auto is_world = [](const UrdfLink& link) { return link.body.name == kWorld; };
  if (std::any_of(robot.links.begin(), robot.links.end(), is_world)) return;
  const auto hangs_on_world = [](const UrdfJoint& urdf) { return urdf.joint.parent == kWorld; };
  const auto joint = std::find_if(robot.joints.begin(), robot.joints.end(), hangs_on_world);
  if (joint == robot.joints.end()) return;
  UrdfLink world;
  world.body.name = kWorld;
  world.body.where = joint->parent_where;
  robot.links.push_back(std::move(world));
  context.warn("implied-world", joint->parent_where,
               fmt::format("joint '{}' hangs on 'world', which is no link of the file; taken is the world itself",
                           joint->joint.name));
}

UrdfTree build_tree(const UrdfRobot& robot) {
  const LinkIndex index = index_links(robot);
  check_joint_names(robot);
  UrdfTree tree;
  std::vector<const UrdfJoint*> above(robot.links.size(), nullptr);
  for (const UrdfJoint& urdf : robot.joints) {
    const Joint& joint = urdf.joint;
    tree.parent.push_back(find_link(robot, index, joint.parent, joint, urdf.parent_where));
    tree.child.push_back(find_link(robot, index, joint.child, joint, urdf.child_where));
    const UrdfJoint*& holder = above[tree.child.back()];
    if (holder) {
      throw ModelError("two-parents", urdf.child_where,
                       fmt::format("link '{}' is the child of both joint '{}' and joint '{}'", joint.child,
                                   holder->joint.name, joint.name),
                       joint.child, "a link hangs on one joint; remove the other");
    }
    holder = &urdf;
  }
  tree.root = find_root(robot, above);
  tree.order = order_joints(robot, tree);
  for (size_t i = 0; i < robot.links.size(); ++i) {
    const Body& body = robot.links[i].body;
    if (body.name != kWorld || i == tree.root) continue;
    throw ModelError("reserved-name", body.where, "only the root link may be named 'world'", body.name,
                     "rename the link");
  }
  return tree;
}

void drop_unknown_mimics(UrdfRobot& robot, UrdfContext& context) {
  std::vector<std::string> names;
  for (const UrdfJoint& urdf : robot.joints) {
    const JointType type = urdf.joint.type;
    const bool one_dof =
        type == JointType::kRevolute || type == JointType::kContinuous || type == JointType::kPrismatic;
    if (one_dof) names.push_back(urdf.joint.name);
  }
  const std::unordered_set<std::string> known(names.begin(), names.end());
  for (UrdfJoint& urdf : robot.joints) {
    if (!urdf.mimic || known.contains(urdf.mimic->joint_b)) continue;
    context.warn(
        "unknown-mimic", urdf.mimic->where,
        fmt::format("joint '{}' mimics '{}', which is no joint with one degree of freedom, so it moves by itself; {}",
                    urdf.joint.name, urdf.mimic->joint_b, did_you_mean(urdf.mimic->joint_b, names)));
    urdf.mimic.reset();
  }
}

namespace {

// Of each link: its mass and that of all that hangs on it.
std::vector<double> carried_masses(const UrdfRobot& robot, const UrdfTree& tree) {
  std::vector<double> carried(robot.links.size());
  for (size_t i = 0; i < robot.links.size(); ++i) carried[i] = robot.links[i].body.inertia.mass;
  for (auto j = tree.order.rbegin(); j != tree.order.rend(); ++j) carried[tree.parent[*j]] += carried[tree.child[*j]];
  return carried;
}

void infer_mass(UrdfLink& link, UrdfContext& context) {
  Body& body = link.body;
  body.inertia = inferred_mass(body, link.density, context);
  if (body.inertia.mass == 0) return;
  const std::string matter = link.density == kWater ? "water" : fmt::format("{:g} kg/m^3", link.density);
  context.warn(
      "inferred-inertial", body.where,
      fmt::format("link '{}' moves, and neither it nor what it carries has a mass; taken is that of its shapes "
                  "filled with {}, {:.3g} kg",
                  body.name, matter, body.inertia.mass));
}

// A point mass on the axis about which it turns, with nothing behind it: nothing resists the joint.
bool spins_without_inertia(const Joint& joint, const Body& body, double carried) {
  const bool turns = joint.type == JointType::kRevolute || joint.type == JointType::kContinuous;
  const MassProperties& own = body.inertia;
  if (!turns || own.mass == 0 || carried > own.mass || !own.inertia.isZero(0)) return false;
  constexpr double kOnTheAxis = 1e-9;  // [m]
  return own.center.cross(joint.axis.normalized()).norm() < kOnTheAxis;
}

void spread_over_shapes(Body& body, UrdfContext& context) {
  const MassProperties shapes = inferred_mass(body, kWater, context);
  if (shapes.mass == 0) return;
  body.inertia = with_mass(shapes, body.inertia.mass);
  context.warn("inferred-inertial", body.where,
               fmt::format("link '{}' is a point mass on the axis it turns about, which nothing resists; its {:.3g} kg "
                           "are spread over its shapes",
                           body.name, body.inertia.mass));
}

// What moves nothing at all, as the joint by which the fingers of a PR2 are told to open, stays where it is put if it
// has any inertia, whichever that is.
void give_armature(Joint& joint, UrdfContext& context) {
  constexpr double kArmature = 1e-3;  // [kg, kg m^2]
  const bool turns = joint.type == JointType::kRevolute || joint.type == JointType::kContinuous;
  if (!turns && joint.type != JointType::kPrismatic) return;
  joint.armature = kArmature;
  context.warn(
      "massless-joint", joint.where,
      fmt::format("nothing that joint '{}' moves has a mass or a shape; so that it can be simulated, it gets an "
                  "armature of {} {}",
                  joint.name, kArmature, turns ? "kg m^2" : "kg"));
}

}  // namespace

void infer_missing_masses(UrdfRobot& robot, const UrdfTree& tree, UrdfContext& context) {
  const std::vector<double> carried = carried_masses(robot, tree);
  std::vector<bool> moves(robot.links.size(), false);  // and nothing on this side of the joint has mass
  const bool floating = context.options.base == BaseType::kFloating && robot.links[tree.root].body.name != kWorld;
  moves[tree.root] = floating && carried[tree.root] == 0;
  for (size_t j : tree.order) {
    const size_t i = tree.child[j];
    const bool joint_moves = robot.joints[j].joint.type != JointType::kFixed && carried[i] == 0;
    moves[i] = joint_moves || moves[tree.parent[j]];
  }
  for (size_t i = 0; i < robot.links.size(); ++i) {
    if (moves[i]) infer_mass(robot.links[i], context);
  }
  for (size_t j = 0; j < robot.joints.size(); ++j) {
    Body& body = robot.links[tree.child[j]].body;
    if (spins_without_inertia(robot.joints[j].joint, body, carried[tree.child[j]])) spread_over_shapes(body, context);
  }
  const std::vector<double> inferred = carried_masses(robot, tree);
  for (size_t j = 0; j < robot.joints.size(); ++j) {
    if (inferred[tree.child[j]] == 0) give_armature(robot.joints[j].joint, context);
  }
}

void warn_of_massless_links(const UrdfRobot& robot, const UrdfTree& tree, UrdfContext& context) {
  // Mass that moves with a link: its own and that of all links fixed to it; and mass it carries in all.
  std::vector<double> rigid(robot.links.size()), carried(robot.links.size());
  for (size_t i = 0; i < robot.links.size(); ++i) rigid[i] = carried[i] = robot.links[i].body.inertia.mass;
  for (auto j = tree.order.rbegin(); j != tree.order.rend(); ++j) {
    carried[tree.parent[*j]] += carried[tree.child[*j]];
    if (robot.joints[*j].joint.type == JointType::kFixed) rigid[tree.parent[*j]] += rigid[tree.child[*j]];
  }
  for (size_t j = 0; j < robot.joints.size(); ++j) {
    const size_t i = tree.child[j];
    const Body& body = robot.links[i].body;
    const bool moves = robot.joints[j].joint.type != JointType::kFixed;
    if (moves && rigid[i] == 0 && carried[i] > 0) {
      context.warn("no-inertial", body.where, fmt::format("link '{}' moves but has no mass of its own", body.name));
    }
  }
}

}  // namespace stickslip
