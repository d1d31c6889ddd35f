#include "stickslip/icf/add_feedback.h"

#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

const MatrixXd* feedback_of(const LinearSystems& systems, int tree) {
  const int place = systems.feedback_of_tree[tree];
  return place >= 0 ? &systems.feedback[place].C : nullptr;
}

// State::v of a lone free body is [v - w x r; R' w] in terms of the node's velocity [v; w].
Matrix6d state_of_node(const Matrix3d& R, const Vector3d& r) {
  Matrix6d T = Matrix6d::Identity();
  T.topRightCorner<3, 3>() = skew(r);
  T.bottomRightCorner<3, 3>() = R.transpose();
  return T;
}

}  // namespace

void add_feedback(const Model& model, const EquationsOfMotion& equations, const LinearSystems& systems,
                  Problem& problem) {
  const double h = problem.h;
  const std::vector<int>& v_of_dof = model.v_of_dof;
  for (const Node& node : problem.nodes) {
    const Tree& tree = model.trees[node.tree];
    const MatrixXd* C = feedback_of(systems, node.tree);
    Eigen::Map<MatrixXd> A(problem.A.data() + node.A, node.size, node.size);
    if (!tree.is_free_body) {
      for (int k = 0; k < node.size; ++k) problem.r[node.start + k] += h * systems.d[v_of_dof[tree.first_dof + k]];
      if (C) A += h * *C;
      continue;
    }
    const int start = model.links[tree.first_link].v_start;
    const LinkPose& pose = equations.kinematics.pose[tree.first_link];
    const Vector6d d = systems.d.segment<6>(start);
    if (!C && d.isZero(0)) continue;
    const Vector3d arm = pose.R * model.links[tree.first_link].inertia.center;
    const Matrix6d T = state_of_node(pose.R, arm);
    problem.r.segment<6>(node.start).noalias() += h * (T.transpose() * d);
    if (C) A += h * (T.transpose() * Matrix6d(*C) * T);
  }
}

}  // namespace stickslip
