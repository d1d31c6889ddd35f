#include "stickslip/geometry/inverse_mass.h"

#include <Eigen/Cholesky>

#include "stickslip/dynamics/kinematics.h"
#include "stickslip/dynamics/unit_motion.h"
#include "stickslip/math/rotation.h"

// The articulated body algorithm without motion, in world axes, each link about its own origin, [linear; angular]:
//
//   inward   P = I + sum over children of X' (P_c - U D^-1 U') X     U = P_c S     D = S' U + armature
//   outward  W = (1 - S D^-1 U') X W_p X' (1 - S D^-1 U')' + S D^-1 S'
//
// P is the inertia a link shows with the joints beyond it free, W the acceleration of a link for a unit force on it,
// and X takes the motion of a parent's origin to that of the child's.
namespace stickslip {
namespace {

using MatrixS = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;
using MatrixD = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

Matrix6d shift(const Vector3d& r) {
  Matrix6d X = Matrix6d::Identity();
  X.topRightCorner<3, 3>() = -skew(r);
  return X;
}

Matrix6d spatial_inertia(const Link& link, const LinkPose& pose) {
  const Matrix3d H = skew(pose.R * link.first_moment);
  Matrix6d M;
  M << link.inertia.mass * Matrix3d::Identity(), -H, H, pose.R * link.inertia_at_origin * pose.R.transpose();
  return M;
}

// What a link remembers between the two sweeps.
struct Sweep {
  Matrix6d P = Matrix6d::Zero(), W = Matrix6d::Zero();
  MatrixS S;                        // unit motions
  MatrixS S_D;                      // S D^-1
  Matrix6d Psi = Matrix6d::Zero();  // (1 - S D^-1 U') X
};

void go_inward(const Model& model, const Kinematics& kinematics, int i, std::vector<Sweep>& sweep) {
  const Link& link = model.links[i];
  Sweep& own = sweep[i];
  const int dofs = velocity_count(link.kind);
  own.S.resize(6, dofs);
  for (int k = 0; k < dofs; ++k) {
    const UnitMotion unit = unit_motion(model, kinematics, i, k);
    own.S.col(k) << unit.v, unit.w;
  }
  const MatrixS U = own.P * own.S;
  MatrixD D = own.S.transpose() * U;
  D.diagonal().array() += link.armature;
  const Eigen::LLT<MatrixD> factor(D);
  own.S_D.setZero(6, dofs);
  if (factor.info() == Eigen::Success) own.S_D = factor.solve(own.S.transpose()).transpose();
  const Matrix6d X = shift(kinematics.pose[i].p - kinematics.pose[link.parent].p);
  own.Psi = (Matrix6d::Identity() - own.S_D * U.transpose()) * X;
  sweep[link.parent].P += X.transpose() * own.P * own.Psi;
}

void go_outward(const Model& model, int i, std::vector<Sweep>& sweep) {
  Sweep& own = sweep[i];
  own.W = own.Psi * sweep[model.links[i].parent].W * own.Psi.transpose() + own.S_D * own.S.transpose();
}

}  // namespace

std::vector<InverseMass> inverse_masses(const Model& model) {
  const State start = initial_state(model);
  Kinematics kinematics;
  compute_poses(model, start, kinematics);
  const int links = static_cast<int>(model.links.size());
  std::vector<Sweep> sweep(model.links.size());
  for (int i = 0; i < links; ++i) sweep[i].P = spatial_inertia(model.links[i], kinematics.pose[i]);
  for (int i = links - 1; i > 0; --i) go_inward(model, kinematics, i, sweep);
  for (int i = 1; i < links; ++i) go_outward(model, i, sweep);

  std::vector<InverseMass> out;
  for (const BodyInfo& body : model.bodies) {
    const Matrix6d X = shift(kinematics.pose[body.link].R * (body.X_LB * body.inertia.center));
    const Matrix6d W = X * sweep[body.link].W * X.transpose();
    out.push_back({W.topLeftCorner<3, 3>().trace() / 3, W.bottomRightCorner<3, 3>().trace() / 3});
  }
  return out;
}

}  // namespace stickslip
