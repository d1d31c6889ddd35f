#pragma once

#include <string>
#include <vector>

#include "stickslip/convert/notes.h"
#include "stickslip/model/model.h"

// The scene as MuJoCo arranges it: bodies nested in their parents, each with the joints that move it, anchors and axes
// in the body's own frame.
//
// Ours: X_PB(q) = A_0 E_1(q_1) A_1 E_2(q_2) ... E_n(q_n) A_n with constant poses A and elementary motions E. MuJoCo
// turns the body about anchors fixed in it: X_PB(q) = X_PB(0) prod_k (X_BM_k E_k(q_k) X_BM_k^-1). The two are the same
// with X_PB(0) = A_0 A_1 ... A_n and X_BM_k = (A_k ... A_n)^-1.
namespace stickslip::convert {

enum class MjcfJointType { kFree, kBall, kSlide, kHinge };

struct MjcfJoint {
  MjcfJointType type = MjcfJointType::kHinge;
  std::string name;
  int joint = -1;                        // index into Model::joints
  const Joint* source = nullptr;         // null for the free joint that a scene does not mention
  Vector3d anchor = Vector3d::Zero();    // in the body
  Vector3d axis = Vector3d::UnitZ();     // in the body
  Matrix3d R_BM = Matrix3d::Identity();  // of a ball: MuJoCo's quaternion and velocity are in body axes, ours in M's
  double reference = 0;
  int q_start = 0, v_start = 0;  // of ours
  bool is_advance = false;       // the slide of a screw: it follows the hinge before it by the pitch
};

struct MjcfBody {
  int body = 0;  // index into Model::bodies; 0 is the world
  Pose X_PB;     // in its parent where all joints are at their reference
  Pose X_WB;     // the same in the world
  bool mocap = false;
  std::vector<MjcfJoint> joints;
  std::vector<int> children;  // bodies
};

struct MjcfTree {
  std::vector<MjcfBody> bodies;  // by index
  std::vector<int> order;        // of bodies in the file, parents first: that of MuJoCo's qpos

  // One number after another, in MuJoCo's order.
  std::vector<double> qpos0() const;  // of the file: references, and where free bodies stand
  std::vector<double> qpos(const VectorXd& q) const;
  std::vector<double> qvel(const VectorXd& v) const;
};

MjcfTree make_mjcf_tree(const Scene& scene, const Model& model, Notes& notes);

}  // namespace stickslip::convert
