#include "stickslip/step/move_by_trapezoid.h"

#include <algorithm>
#include <array>

#include "stickslip/math/rotation.h"
#include "stickslip/state/configuration.h"

namespace stickslip {
namespace {

// `mass`: at the start and, predicted, at the end.
void move_free_body(const Link& link, const TurningInertia& inertia, const Matrix3d& R0,
                    const std::array<const FreeBodyMass*, 2>& mass, const Eigen::Ref<const VectorXd>& v0,
                    const Eigen::Ref<const VectorXd>& v1, double h, VectorXd& displacement, VectorXd& v) {
  const Vector3d L0 = mass[0]->inertia() * v0.tail<3>(), L1 = mass[1]->inertia() * v1.tail<3>();
  const Vector3d turn = inertia.turn(inertia.velocity_of(R0.transpose() * (0.5 * (L0 + L1))), h).turn;
  const Matrix3d R1 = R0 * exp_quaternion(turn).toRotationMatrix();
  const Vector3d w1_B = inertia.velocity_of(R1.transpose() * L1), w1 = R1 * w1_B;
  const Vector3d r0 = R0 * link.inertia.center, r1 = R1 * link.inertia.center;
  displacement.segment<3>(link.v_start) = 0.5 * h * (v0.head<3>() + v1.head<3>()) - (r1 - r0);
  displacement.segment<3>(link.v_start + 3) = turn;
  v.segment<3>(link.v_start) = v1.head<3>() - w1.cross(r1);
  v.segment<3>(link.v_start + 3) = w1_B;
}

}  // namespace

void move_by_trapezoid(const Model& model, const FreeTurns& free_turns, const Problem& problem,
                       const EquationsOfMotion& start, const EquationsOfMotion& predicted, const VectorXd& v1,
                       VectorXd& displacement, State& state) {
  displacement.setZero(model.nv);
  for (const Node& node : problem.nodes) {
    const Tree& tree = model.trees[node.tree];
    const auto begin = problem.start.segment(node.start, node.size), end = v1.segment(node.start, node.size);
    if (tree.is_free_body) {
      const auto body =
          std::lower_bound(model.free_trees.begin(), model.free_trees.end(), node.tree) - model.free_trees.begin();
      move_free_body(model.links[tree.first_link], free_turns.inertia(static_cast<int>(body)),
                     start.kinematics.pose[tree.first_link].R,
                     {&start.mass.free_bodies[body], &predicted.mass.free_bodies[body]}, begin, end, problem.h,
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
