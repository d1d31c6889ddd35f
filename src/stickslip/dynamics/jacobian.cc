#include "stickslip/dynamics/jacobian.h"

#include <algorithm>

#include "stickslip/dynamics/unit_motion.h"

namespace stickslip {
namespace {

// Calls visit(v index, linear, angular) for every degree of freedom that moves the point.
template <typename Visit>
void for_each_column(const Model& model, const Kinematics& kinematics, int link, const Vector3d& p_W, Visit&& visit) {
  for (int i = link; i != 0; i = model.links[i].parent) {
    const Link& info = model.links[i];
    const Vector3d r = p_W - kinematics.pose[i].p;
    for (int k = 0; k < velocity_count(info.kind); ++k) {
      const UnitMotion unit = unit_motion(model, kinematics, i, k);
      visit(info.v_start + k, Vector3d(unit.v + unit.w.cross(r)), unit.w);
    }
  }
}

}  // namespace

void jacobian_columns(const Model& model, const Kinematics& kinematics, int link, const Vector3d& p_W,
                      std::vector<JacobianColumn>& columns) {
  columns.clear();
  for_each_column(model, kinematics, link, p_W, [&](int v, const Vector3d& linear, const Vector3d& angular) {
    columns.push_back({v, linear, angular});
  });
}

void point_jacobian(const Model& model, const Kinematics& kinematics, int link, const Vector3d& p_W, Matrix6Xd& J) {
  J.setZero(6, model.nv);
  for_each_column(model, kinematics, link, p_W,
                  [&](int v, const Vector3d& linear, const Vector3d& angular) { J.col(v) << linear, angular; });
}

LinkAcceleration point_bias_acceleration(const Model& model, const State& state, const Kinematics& kinematics, int link,
                                         const Vector3d& p_W) {
  std::vector<int> path;
  for (int i = link; i != 0; i = model.links[i].parent) path.push_back(i);
  LinkAcceleration acceleration;
  for (auto i = path.rbegin(); i != path.rend(); ++i) {
    const LinkAcceleration parent = acceleration;
    accelerate_link<false>(model, state, kinematics, nullptr, *i, parent, acceleration);
  }
  const Vector3d r = p_W - kinematics.pose[link].p;
  const Vector3d& w = kinematics.velocity[link].w;
  return {acceleration.a + acceleration.alpha.cross(r) + w.cross(w.cross(r)), acceleration.alpha};
}

}  // namespace stickslip
