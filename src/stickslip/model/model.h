#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/math/mass_properties.h"
#include "stickslip/math/pack.h"
#include "stickslip/math/pose.h"
#include "stickslip/model/motion.h"
#include "stickslip/scene/scene.h"

// The validated, immutable description of a world: a forest of trees of links.
//
// A *body* is what the user named; a *joint* is what the user named; a *link* is what the algorithms see: a rigid piece
// that moves against its parent by one elementary joint. Bodies welded together share a link; a body with several
// joints, or with a planar or universal joint, has massless links in between. Link 0 and body 0 are the world.
namespace stickslip {

// Elementary joints. Axes are always z of the link's frame: the frame is ours to choose, and the kernels get short.
enum class LinkKind : std::uint8_t { kPrescribed, kRevolute, kPrismatic, kScrew, kBall, kFree };

constexpr int position_count(LinkKind kind) {
  return kind == LinkKind::kFree ? 7 : kind == LinkKind::kBall ? 4 : kind == LinkKind::kPrescribed ? 0 : 1;
}
constexpr int velocity_count(LinkKind kind) {
  return kind == LinkKind::kFree ? 6 : kind == LinkKind::kBall ? 3 : kind == LinkKind::kPrescribed ? 0 : 1;
}

struct Link {
  LinkKind kind = LinkKind::kPrescribed;
  int parent = 0;                                 // link; always smaller than the own index
  int q_start = 0;                                // in State::q
  int v_start = 0;                                // in State::v
  int tree = -1;                                  // -1 for the world
  int dof = 0;                                    // first degree of freedom, counted within the tree
  Pose X_PF;                                      // the joint's fixed frame in the parent link
  double pitch = 0;                               // kScrew [m/rad]
  double reference = 0;                           // q at which the link's frame coincides with F
  MassProperties inertia;                         // of all welded bodies, in the link's frame
  Vector3d first_moment = Vector3d::Zero();       // mass * centre, link's axes
  Matrix3d inertia_at_origin = Matrix3d::Zero();  // about the link's origin, link's axes
  double armature = 0;                            // each dof [kg, kg m^2]
  double damping = 0;                             // each dof [N s/m, N m s/rad]
  double stiffness = 0;                           // each dof [N/m, N m/rad]
  int motion = -1;                                // kPrescribed: index into Model::motions
  int mocap = -1;                                 // kPrescribed: index into State::mocap
  int joint = -1;                                 // index into Model::joints; -1 for prescribed bodies
};

// A connected set of links whose root hangs on the world: one dense block of the mass matrix.
struct Tree {
  int first_link = 0, link_count = 0;
  int first_dof = 0, nv = 0;  // range in Model::v_of_dof
  bool is_free_body = false;  // a single free link
};

// Constants of four lone free bodies, side by side for the kernels. A last, incomplete group repeats its last body.
struct FreeBodyGroup {
  Pack mass{};
  PackVector center{};      // of mass, link's axes
  PackSymmetric inertia{};  // about the centre of mass, link's axes
  std::array<int, kPackSize> link{}, q_start{}, v_start{};
  std::array<int, kPackSize> body{};  // index into Model::free_trees
};

struct BodyInfo {
  std::string name;
  Location where;
  int link = 0;
  Pose X_LB;               // in its link
  MassProperties inertia;  // in the body's frame
  double gravity_scale = 1;
  int parent = 0;  // body
  int mocap = -1;
  int robot = 0, family = 0;  // see Body
  std::vector<Geometry> geometry;
};

struct JointInfo {
  std::string name;
  Location where;
  JointType type = JointType::kFixed;
  int parent = 0, child = 0;  // bodies
  int link = 0;               // the first of its links; 0 for fixed joints
  int q_start = 0, nq = 0;
  int v_start = 0, nv = 0;
  Range limits;
  double dry_friction = 0;
  double velocity_limit = kInfinity;
  double effort_limit = kInfinity;
  int motion = -1;  // prescribed: index into Model::motions
};

struct FrameInfo {
  std::string name;
  int body = 0;
  Pose X_BF;
};

struct TendonInfo {
  struct Term {
    int q = 0, v = 0;  // indices into State::q and State::v
    double coefficient = 0;
  };
  std::string name;
  std::vector<Term> terms;
  double stiffness = 0, damping = 0, dry_friction = 0;
  Range spring_rest, limits;
};

struct ActuatorInfo {
  std::string name, type;
  int joint = -1, tendon = -1;  // neither: it is idle
  std::array<double, 6> gear{};
  std::array<double, 3> gain{}, bias{};
  Range control_limits, force_limits;
};

// Indices instead of names; the rest as in the scene.
struct ConstraintInfo {
  Constraint description;
  int body_a = 0, body_b = 0;
  int joint_a = -1, joint_b = -1;  // or tendons, if description.couples_tendons
};

struct KeyframeInfo {
  std::string name;
  double time = 0;
  VectorXd q, v, ctrl, mocap;
};

struct Model {
  std::string name, file;
  std::shared_ptr<const Scene> scene;  // what it was compiled from, for recordings and converters
  Vector3d gravity = Vector3d::Zero();
  int nq = 0, nv = 0, nu = 0;

  std::vector<Link> links;  // parents before children, tree by tree
  std::vector<Tree> trees;
  std::vector<int> v_of_dof;               // tree by tree: where each tree-local degree of freedom stands in State::v
  std::vector<int> free_trees;             // lone free bodies, which have kernels of their own
  std::vector<FreeBodyGroup> free_groups;  // the same bodies, in fours
  std::vector<int> articulated_trees;      // all others

  std::vector<BodyInfo> bodies;   // [0] is the world, then file order
  std::vector<JointInfo> joints;  // file order, without fixed joints
  std::vector<FrameInfo> frames;
  std::vector<TendonInfo> tendons;
  std::vector<ActuatorInfo> actuators;
  std::vector<ConstraintInfo> constraints;
  std::vector<KeyframeInfo> keyframes;
  std::vector<MotionCurve> motions;
  std::vector<Material> materials;
  std::vector<ContactPair> contact_pairs;
  std::vector<std::pair<int, int>> contact_exclusions;  // bodies
  bool filter_parent_child = true;
  SimulationOptions simulation;
  std::vector<Warning> warnings;

  VectorXd q0, v0, ctrl0;  // the start
  VectorXd q_spring;       // nq, where joint springs are at rest
  VectorXd mocap0;         // 7 a mocap body: position, quaternion wxyz

  // Index by name; -1 if there is none.
  int find_body(std::string_view name) const;
  int find_joint(std::string_view name) const;
  int find_frame(std::string_view name) const;
  int find_actuator(std::string_view name) const;
  std::vector<std::string> body_names() const;
  std::vector<std::string> joint_names() const;
  std::vector<std::string> frame_names() const;
  std::vector<std::string> actuator_names() const;
  double total_mass() const;
};

// The word for a joint type in files, reports and Python: "revolute".
const char* joint_type_name(JointType type);

// Resolves names, merges welded bodies, lays out q and v. Throws ModelError.
Model compile(const Scene& scene);

}  // namespace stickslip
