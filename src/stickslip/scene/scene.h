#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stickslip/base/error.h"
#include "stickslip/math/mass_properties.h"
#include "stickslip/math/pose.h"
#include "stickslip/shapes/shape.h"

// What a file says, in plain structs: SI units, radians, names instead of indices, and the place each thing was read
// from. Every reader (YAML, MJCF, URDF) produces a Scene; compile(scene) in model/ is the only consumer.
namespace stickslip {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline const std::string kWorld = "world";

struct Range {
  double lower = -kInfinity;
  double upper = kInfinity;

  bool bounded() const { return lower > -kInfinity || upper < kInfinity; }
};

// MuJoCo's contact parameters, kept as written; they become N/m once the bodies' masses are known.
struct MjcfContact {
  int condim = 3;
  int priority = 0;
  std::array<double, 3> friction{1, 0.005, 0.0001};  // sliding, torsional [m], rolling [m]
  double solmix = 1;
  std::array<double, 2> solref{0.02, 1};
  std::array<double, 5> solimp{0.9, 0.95, 0.001, 0.5, 2};
  double margin = 0;
  double gap = 0;
};

// A surface on which friction depends on the direction of slip, such as brushed metal or a skate.
struct Grain {
  Vector3d direction = Vector3d::UnitX();  // unit, in the geometry's frame
  double friction_ratio = 1;               // friction along it over friction across it, at most 1
};

struct Material {
  std::string name;
  Location where;
  double stiffness = 1e6;                 // [N/m]; infinity: a rigid side
  double dissipation = 10;                // Hunt & Crossley d [s/m]
  std::optional<double> relaxation_time;  // [s]
  std::optional<double> youngs_modulus;   // E [Pa]: Hertz's law where curved surfaces meet
  double poisson_ratio = 0.3;             // nu, with E
  double static_friction = 0.5;
  double dynamic_friction = 0.5;
  double stiction_tolerance = 1e-4;  // [m/s]
  std::optional<Grain> grain;
  std::optional<MjcfContact> mjcf;  // set by the MJCF reader, which leaves stiffness and dissipation as they are
};

struct Geometry {
  std::string name;  // may be empty
  Location where;
  Shape shape;
  Pose pose;                                     // X_BG
  std::string material;                          // empty: the default material
  Vector3d surface_velocity = Vector3d::Zero();  // of the surface relative to the body, body axes [m/s]
  bool collides = true;                          // false: for the eye only
  bool visible = true;
  int group = 0;
  std::uint32_t contype = 1;  // two geometries collide if (a.contype & b.conaffinity) || (b.contype & a.conaffinity)
  std::uint32_t conaffinity = 1;
  std::array<double, 4> color{0.5, 0.5, 0.5, 1};
};

// Prescribed motion along (or, if rotates, about) an axis: s(t) in metres or radians.
struct Motion {
  enum class Kind { kConstant, kSine, kTable };
  Kind kind = Kind::kConstant;
  Vector3d axis = Vector3d::UnitX();
  bool rotates = false;
  double velocity = 0;                // kConstant: s = velocity t
  double amplitude = 0;               // kSine: s = amplitude sin(2 pi frequency t + phase)
  double frequency = 0;               // [Hz]
  double phase = 0;                   // [rad]
  std::vector<double> times, values;  // kTable: C1 cubic through the points, held constant outside
};

struct Body {
  std::string name;
  Location where;
  MassProperties inertia;  // in the body's frame
  Pose pose;               // X_WB at the start, for bodies without a joint (free, fixed, prescribed, mocap)
  Vector3d linear_velocity = Vector3d::Zero();   // of the origin, world axes; for free bodies
  Vector3d angular_velocity = Vector3d::Zero();  // world axes; for free bodies
  bool fixed = false;                            // part of the world
  bool mocap = false;                            // the pose is set from outside
  std::optional<Motion> motion;
  std::vector<Geometry> geometry;
  double gravity_scale = 1;  // 1: feels gravity; 0: does not
  // Counted from 1: bodies of one robot that overlap where it starts do not collide. 0: all bodies may.
  int robot = 0;
  // Counted from 1: bodies of one family never collide with each other, unless a pair lists them. 0: of none.
  int family = 0;
};

enum class JointType { kFixed, kFree, kBall, kRevolute, kContinuous, kPrismatic, kPlanar, kUniversal, kScrew };

// Connects parent and child: X_PB(q) = pose * X_FM(q) * child_pose^-1. F and M coincide at q = reference.
// A child with several joints moves by them in order: the pose of each later one is given in the body's frame as the
// joint before it left it. Joints in a cycle are errors; close loops with constraints.
struct Joint {
  std::string name;
  Location where;
  JointType type = JointType::kRevolute;
  std::string parent = kWorld;
  std::string child;
  Pose pose;                           // X_PF
  Pose child_pose;                     // X_BM
  Vector3d axis = Vector3d::UnitZ();   // in F; for kPlanar the plane's normal; for kUniversal the first axis
  Vector3d axis2 = Vector3d::UnitY();  // kUniversal: the second axis, in the frame turned by the first
  double pitch = 0;                    // kScrew: advance along the axis [m/rad]
  double reference = 0;                // q at which F and M coincide (one-dof joints)
  std::vector<double> position;        // at the start: nq numbers; empty: reference (one-dof), neutral otherwise
  std::vector<double> velocity;        // at the start: nv numbers; empty: zero
  double damping = 0;                  // [N s/m, N m s/rad], each dof
  double stiffness = 0;                // [N/m, N m/rad], each dof
  double spring_reference = 0;         // q at which the spring is at rest (one-dof joints)
  double armature = 0;                 // rotor inertia seen at the joint [kg, kg m^2], each dof
  double dry_friction = 0;             // [N, N m], each dof
  Range limits;                        // of q; for kBall the upper value bounds the angle of rotation
  double velocity_limit = kInfinity;
  double effort_limit = kInfinity;  // bounds what actuators and limits on this joint apply in sum
  std::optional<Motion> motion;     // prescribed: the joint has no degree of freedom (one-dof joints; axis ignored)
};

// A linear combination of one-dof joints' positions: L = sum coefficient * q.
struct Tendon {
  struct Term {
    std::string joint;
    double coefficient = 1;
  };
  std::string name;
  Location where;
  std::vector<Term> terms;
  double stiffness = 0;
  double damping = 0;
  Range spring_rest;  // no spring force for lengths inside
  double dry_friction = 0;
  Range limits;
};

// force = clamp(gain . (1, l, l') u + bias . (1, l, l'), force_limits) with u clamped to control_limits and l = gear *
// q (or the tendon's length), applied to the joint times gear. Without joint and tendon it is idle: its control acts on
// nothing, and keeps the place that it has in the file among the others.
struct Actuator {
  std::string name;
  Location where;
  std::string type = "motor";  // the word in the file: motor, position, velocity, damper, general, idle
  std::string joint;           // one of joint and tendon, or none
  std::string tendon;
  std::array<double, 6> gear{1, 0, 0,
                             0, 0, 0};  // one number a dof of the joint; a one-dof joint or tendon uses the first
  std::array<double, 3> gain{1, 0, 0};
  std::array<double, 3> bias{0, 0, 0};
  Range control_limits;
  Range force_limits;
  double control = 0;  // at the start

  bool is_idle() const { return joint.empty() && tendon.empty(); }
};

struct Constraint {
  enum class Kind { kWeld, kBall, kDistance, kCoupler };
  std::string name;
  Location where;
  Kind kind = Kind::kWeld;
  bool active = true;
  std::string body_a = kWorld, body_b = kWorld;
  Pose pose_a, pose_b;  // frames fixed to the bodies that the constraint makes coincide (ball, distance: origins only)
  double length = 0;    // distance [m]
  std::optional<double> stiffness;  // [N/m]; none: as stiff as the time scale of stiff constraints allows
  std::optional<double> dissipation;
  // Of a weld's rotation [N m/rad, N m s/rad]; the two above are those of its origins.
  std::optional<double> rotational_stiffness, rotational_dissipation;
  std::optional<double> time_scale;  // instead of a stiffness: the mass that is moved swings with this period [s]
  double damping_ratio = 1;          // of that swing
  std::string joint_a, joint_b;      // coupler, names of joints or tendons: q_a = coefficients . (1, q_b, q_b^2, ...)
  bool couples_tendons = false;
  std::array<double, 5> coefficients{0, 1, 0, 0, 0};  // joint_b empty: q_a = coefficients[0]; q measured from reference
};

// A named frame on a body (MJCF site).
struct Frame {
  std::string name;
  Location where;
  std::string body;
  Pose pose;  // X_BF
};

// What a file asks to be measured. Nothing here does so; `stickslip check` lists it, for those who must.
struct Sensor {
  std::string name;
  Location where;
  std::string type;                 // the file's own word: "touch", "imu"
  std::string object_type, object;  // what it is on or of: "site" and its name; empty for a clock
};

struct ContactPair {  // collides whatever the filters say
  Location where;
  std::string geometry_a, geometry_b;
  std::string material;  // empty: combined as for any pair
};

struct ContactExclusion {
  Location where;
  std::string body_a, body_b;
};

struct Keyframe {
  std::string name;
  Location where;
  double time = 0;
  std::vector<double> q, v, ctrl, mocap_position, mocap_quaternion;  // empty: as at the start
};

struct SimulationOptions {
  std::string method;  // empty: the default
  std::optional<double> accuracy;
  std::optional<double> time_step;       // [s]
  std::optional<double> file_time_step;  // [s], that an MJCF or SDF file names for its own simulator; only on request
  std::optional<double> until;           // [s]
  std::string friction;                  // of methods with error control; empty: the method's
};

struct Scene {
  std::string name;
  std::string file;  // as opened; empty if from a string
  Vector3d gravity{0, 0, -9.81};
  std::vector<Material> materials;
  std::vector<Body> bodies;  // without the world; file order, which is the order of q
  std::vector<Geometry> world_geometry;
  std::vector<Joint> joints;  // a body without one is free, unless fixed, mocap or prescribed
  std::vector<Tendon> tendons;
  std::vector<Actuator> actuators;
  std::vector<Constraint> constraints;
  std::vector<Frame> frames;
  std::vector<Sensor> sensors;
  std::vector<ContactPair> contact_pairs;
  std::vector<ContactExclusion> contact_exclusions;
  std::vector<Keyframe> keyframes;
  bool filter_parent_child = true;  // bodies joined by a joint do not collide
  SimulationOptions simulation;
  std::vector<Warning> warnings;
};

}  // namespace stickslip
