#pragma once

#include "stickslip/icf/problem.h"

// Maps between a node's velocity and the twist of a patch's centre, and the same for wrenches and Hessians.
namespace stickslip {

struct Twist {
  Vector3d linear = Vector3d::Zero();
  Vector3d angular = Vector3d::Zero();
};

// J x for one side.
inline Twist side_twist(const Problem& problem, const PatchSide& side, const double* x) {
  if (side.node < 0) return {};
  const double* own = x + problem.nodes[side.node].start;
  if (side.count == 0) {
    const Eigen::Map<const Vector3d> v(own), w(own + 3);
    return {v + w.cross(side.arm), w};
  }
  Twist twist;
  for (int i = side.first; i < side.first + side.count; ++i) {
    const PatchColumn& column = problem.columns[i];
    twist.linear += own[column.dof] * column.linear;
    twist.angular += own[column.dof] * column.angular;
  }
  return twist;
}

// B's twist minus A's.
inline Twist relative_twist(const Problem& problem, const Patch& patch, const double* x) {
  const Twist a = side_twist(problem, patch.a, x), b = side_twist(problem, patch.b, x);
  return {b.linear - a.linear, b.angular - a.angular};
}

// own += sign J' (force, torque) for one side, whose node's part of a vector `own` is.
inline void add_wrench(const std::vector<PatchColumn>& columns, const PatchSide& side, const Twist& wrench, double sign,
                       double* own) {
  if (side.count == 0) {
    Eigen::Map<Vector3d>{own} += sign * wrench.linear;
    Eigen::Map<Vector3d>{own + 3} += sign * (wrench.angular + side.arm.cross(wrench.linear));
    return;
  }
  for (int i = side.first; i < side.first + side.count; ++i) {
    const PatchColumn& column = columns[i];
    own[column.dof] += sign * (column.linear.dot(wrench.linear) + column.angular.dot(wrench.angular));
  }
}

// The same in a vector over all nodes.
inline void add_wrench(const Problem& problem, const PatchSide& side, const Twist& wrench, double sign, double* y) {
  if (side.node >= 0) add_wrench(problem.columns, side, wrench, sign, y + problem.nodes[side.node].start);
}

// A patch's 6 x 6 Hessian about its centre, [P Q; Q' S].
struct PatchHessian {
  Matrix3d P = Matrix3d::Zero(), Q = Matrix3d::Zero(), S = Matrix3d::Zero();
  bool is_point = false;  // Q and S are zero

  Twist operator*(const Twist& t) const {
    if (is_point) return {P * t.linear, Vector3d::Zero()};
    return {P * t.linear + Q * t.angular, Q.transpose() * t.linear + S * t.angular};
  }
};

// [x] M, column by column.
inline Matrix3d cross_times(const Vector3d& x, const Matrix3d& M) {
  Matrix3d out;
  for (int c = 0; c < 3; ++c) out.col(c) = x.cross(M.col(c));
  return out;
}

}  // namespace stickslip
