#pragma once

#include <vector>

#include "stickslip/scene/urdf_joint.h"
#include "stickslip/scene/urdf_link.h"

namespace stickslip {

struct UrdfRobot {
  Location where;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
};

// Indices into the robot's links.
struct UrdfTree {
  size_t root = 0;
  std::vector<size_t> parent, child;  // of each joint
  std::vector<size_t> order;          // joints, each after the one its parent link hangs on
};

// A joint may hang on the world without a <link> for it.
void add_implied_world(UrdfRobot& robot, UrdfContext& context);

// Throws unless the links and joints form one tree and their names are unique.
UrdfTree build_tree(const UrdfRobot& robot);

// A joint that mimics one that is not there, or cannot be followed, moves by itself, with a warning: such files are
// common and load elsewhere.
void drop_unknown_mimics(UrdfRobot& robot, UrdfContext& context);

// Where nothing that a joint moves has a mass (or nothing of a robot that floats), links get that of their shapes, with
// a warning: such a robot could not move. Point masses that turn about themselves are spread over their shapes. Joints
// that move nothing even so get an armature.
void infer_missing_masses(UrdfRobot& robot, const UrdfTree& tree, UrdfContext& context);

// A link without mass is a frame if it does not move against its parent; otherwise the user should know. Where nothing
// that hangs on it has mass either, compile() warns.
void warn_of_massless_links(const UrdfRobot& robot, const UrdfTree& tree, UrdfContext& context);

}  // namespace stickslip
