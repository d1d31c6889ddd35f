#pragma once

#include <vector>

#include "stickslip/state/state.h"

// Where everything is and how it moves, in world axes. Every other algorithm starts here.
namespace stickslip {

// X_WL of a link.
struct alignas(32) LinkPose {
  Matrix3d R = Matrix3d::Identity();
  Vector3d p = Vector3d::Zero();
};

// Velocity of a link: of its origin and its angular velocity, world axes.
struct LinkVelocity {
  Vector3d v = Vector3d::Zero();
  Vector3d w = Vector3d::Zero();
};

struct Kinematics {
  void resize(const Model& model);

  std::vector<LinkPose> pose;          // of each link; [0] is the world
  std::vector<Vector3d> offset;        // of each link of an articulated tree: its p minus its parent's
  std::vector<LinkVelocity> velocity;  // of each link
};

// Poses from state.q (and time, mocap for prescribed links).
void compute_poses(const Model& model, const State& state, Kinematics& kinematics);

// Velocities from state.v; needs the poses.
void compute_velocities(const Model& model, const State& state, Kinematics& kinematics);

// The same for the articulated trees alone; the arrays have their sizes already.
void compute_articulated_poses(const Model& model, const State& state, Kinematics& kinematics);
void compute_articulated_velocities(const Model& model, const State& state, Kinematics& kinematics);

// Pose of a link at state.time if prescribed motion alone moves it.
LinkPose prescribed_pose(const Model& model, const State& state, int link);

Pose body_pose(const Model& model, const Kinematics& kinematics, int body);              // X_WB
LinkVelocity body_velocity(const Model& model, const Kinematics& kinematics, int body);  // of B's origin

// How a link moves against its parent, world axes: shared by velocities and accelerations.
struct RelativeMotion {
  Vector3d v = Vector3d::Zero();  // of the origin
  Vector3d w = Vector3d::Zero();
  Vector3d a = Vector3d::Zero();  // of the origin, what prescribed motion adds
  Vector3d alpha = Vector3d::Zero();
};

// For the kinds that are not worth a special case: ball, free, screw and prescribed links.
RelativeMotion relative_motion(const Model& model, const State& state, const Kinematics& kinematics, int link);

}  // namespace stickslip
