#include "stickslip/step/tumbling.h"

#include <Eigen/LU>
#include <algorithm>
#include <numbers>

#include "stickslip/step/free_flight.h"

namespace stickslip {
namespace {

// Of the angular velocity, that the torque at the start changes in a step.
constexpr double kFirstChange = 0.05, kFullChange = 0.1;
// A principal moment is at most the sum of the others, so that |I^-1 (w x I w)| <= |w|^2 / sqrt(3).
constexpr double kShortestTurn = kFirstChange * std::numbers::sqrt3;  // [rad]

}  // namespace

bool mean_tumbling_force(const Model& model, const State& state, double h, const VectorXd& force, VectorXd& mean) {
  bool has_any = false;
  for (const int tree : model.free_trees) {
    const Link& link = model.links[model.trees[tree].first_link];
    const Vector3d w = state.v.segment<3>(link.v_start + 3);
    const double turn = h * w.norm();
    if (!(turn > kShortestTurn)) continue;
    const Matrix3d& inertia = link.inertia.inertia;
    const Vector3d torque = Vector3d(inertia * w).cross(w);
    const double change = h * h * (inertia.inverse() * torque).norm() / turn;
    const double share = std::clamp((change - kFirstChange) / (kFullChange - kFirstChange), 0.0, 1.0);
    if (!(share > 0)) continue;
    if (!has_any) mean = force;
    has_any = true;
    const Vector3d mean_torque = inertia * (tumbled(inertia, w, h) - w) / h;
    mean.segment<3>(link.v_start + 3) += share * (mean_torque - torque);
  }
  return has_any;
}

}  // namespace stickslip
