#include "stickslip/step/move_by_trapezoid.h"

#include "stickslip/math/rotation.h"
#include "stickslip/state/configuration.h"

namespace stickslip {
namespace {

void move_free_body(const Link& link, const Matrix3d& R0, const Eigen::Ref<const VectorXd>& v0,
                    const Eigen::Ref<const VectorXd>& v1, double h, VectorXd& displacement, VectorXd& v) {
  const Vector3d turn = 0.5 * h * (R0.transpose() * (v0.tail<3>() + v1.tail<3>()));
  const Matrix3d R1 = R0 * exp_quaternion(turn).toRotationMatrix();
  const Vector3d r0 = R0 * link.inertia.center, r1 = R1 * link.inertia.center;
  const Vector3d w1 = v1.tail<3>();
  displacement.segment<3>(link.v_start) = 0.5 * h * (v0.head<3>() + v1.head<3>()) - (r1 - r0);
  displacement.segment<3>(link.v_start + 3) = turn;
  v.segment<3>(link.v_start) = v1.head<3>() - w1.cross(r1);
  v.segment<3>(link.v_start + 3) = R1.transpose() * w1;
}

}  // namespace

void move_by_trapezoid(const Model& model, const Problem& problem, const EquationsOfMotion& start, const VectorXd& v1,
                       VectorXd& displacement, State& state) {
  displacement.setZero(model.nv);
  for (const Node& node : problem.nodes) {
    const Tree& tree = model.trees[node.tree];
    const auto begin = problem.start.segment(node.start, node.size), end = v1.segment(node.start, node.size);
    if (tree.is_free_body) {
      move_free_body(model.links[tree.first_link], start.kinematics.pose[tree.first_link].R, begin, end, problem.h,
                     displacement, state.v);
      continue;
    }
    for (int k = 0; k < node.size; ++k) {
      const int v = model.v_of_dof[tree.first_dof + k];
      displacement[v] = 0.5 * problem.h * (begin[k] + end[k]);
      state.v[v] = end[k];
    }
  }
  integrate(model, state.q, displacement, state.q);
}

}  // namespace stickslip
