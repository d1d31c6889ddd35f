#pragma once

#include <array>
#include <vector>

#include "stickslip/dynamics/kinematics.h"

namespace stickslip {

// Mass and inertia of a link and all that hangs on it, about the link's origin, world axes.
struct CompositeInertia {
  double mass = 0;
  Vector3d h = Vector3d::Zero();  // first moment
  Matrix3d I = Matrix3d::Zero();  // rotational inertia about the origin
};

// A lone free body's mass matrix when its velocity is taken at the centre of mass in world axes: diag(m 1, I).
struct FreeBodyMass {
  double mass = 0;
  Vector3d r = Vector3d::Zero();  // from the body's origin to its centre of mass, world axes
  std::array<double, 6> I{};      // rotational inertia about the centre of mass, world axes: xx yy zz xy xz yz

  Matrix3d inertia() const { return Matrix3d{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}; }
};

// M(q), block by block: one dense symmetric block an articulated tree (tree-local order of degrees of freedom), three
// numbers a lone free body. Entries between different branches of a tree are zero and never touched.
class MassMatrix {
 public:
  explicit MassMatrix(const Model& model);

  // Dense nv_t x nv_t block of an articulated tree.
  Eigen::Map<MatrixXd> block(int tree);
  Eigen::Map<const MatrixXd> block(int tree) const;

  std::vector<FreeBodyMass> free_bodies;    // as Model::free_trees
  std::vector<CompositeInertia> composite;  // scratch: of each link

 private:
  struct Slot {
    Eigen::Index start = 0;
    int size = 0;
  };
  std::vector<Slot> slots_;  // of each tree
  std::vector<double> data_;
};

// Composite rigid body algorithm, with armature on the diagonal. Needs poses.
void compute_mass_matrix(const Model& model, const State& state, const Kinematics& kinematics, MassMatrix& mass);

// The same for the articulated trees alone.
void compute_articulated_masses(const Model& model, const Kinematics& kinematics, MassMatrix& mass);

// The same as one dense nv x nv matrix in the order of State::v.
MatrixXd dense_mass_matrix(const Model& model, const Kinematics& kinematics, const MassMatrix& mass);

}  // namespace stickslip
