#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "stickslip/model/model.h"

// Shared by the stages of compile(scene); not for users.
namespace stickslip::compiler {

using NameMap = std::unordered_map<std::string, int>;

// Where name -> index, or a ModelError that names the place and suggests the closest name.
int resolve(const NameMap& map, const std::string& name, const char* kind, const Location& where);

// The reverse: a new name, or a ModelError if it is taken.
void insert_unique(NameMap& map, const std::string& name, int index, const char* kind, const Location& where);

struct Context {
  const Scene& scene;
  Model& model;
  NameMap body_index;   // "world" is 0, then scene order from 1
  NameMap joint_index;  // into Model::joints
  NameMap tendon_index;
  std::vector<std::vector<Joint>> joints_of_body;  // [body index]: in order; never empty for a body that moves
};

// Whose axis or motion it is, for messages.
struct Owner {
  const char* kind;
  const std::string& name;
  const Location& where;
};
// The direction of an axis of any length but 0.
Vector3d unit_axis(const Vector3d& axis, const Owner& owner);
// Positions and velocities are within bounds; times of a table increase, and each has its value.
void check_motion(const Motion& motion, const Owner& owner);

// geometry that collides is of a size, and at a place, that numbers can resolve
void check_extents(const Scene& scene);
// bodies, names, and the joints that lead to each body
void collect_bodies(Context& context);
// file order -> q_start, v_start of every joint; Model::joints; nq, nv
void lay_out_joints(Context& context);
// links, trees, merged inertias, start configuration
void build_links(Context& context);
// tendons, actuators, constraints, frames, contact rules, keyframes
void resolve_references(Context& context);
// warnings of joints and tendons that start where their limits do not allow
void warn_of_starts(Context& context);

// The elementary joints that make up a joint of the file, in order, axes in the joint's frame F.
struct ElementaryJoint {
  LinkKind kind;
  Vector3d axis;
};
std::vector<ElementaryJoint> elementary_joints(const Joint& joint);

}  // namespace stickslip::compiler
