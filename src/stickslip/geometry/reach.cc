#include "stickslip/geometry/reach.h"

namespace stickslip {
namespace {

double reach_of(const CollisionGeometry& geometry, const Kinematics& kinematics, double h, double fall) {
  if (geometry.is_static) return 0;
  const LinkVelocity& velocity = kinematics.velocity[geometry.link];
  const Vector3d r = kinematics.pose[geometry.link].R * geometry.center;
  const double turning = velocity.w.norm();
  const double rim = turning > 0 ? turning * geometry.radius : 0;  // 0 times an infinite radius is no motion
  return h * ((velocity.v + velocity.w.cross(r)).norm() + rim) + (geometry.is_mobile ? fall : 0);
}

}  // namespace

void compute_reach(const CollisionModel& collision, const Model& model, const Kinematics& kinematics, double h,
                   std::vector<double>& reach) {
  const double fall = h * h * model.gravity.norm();
  reach.resize(collision.geometries.size());
  for (std::size_t i = 0; i < reach.size(); ++i) {
    reach[i] = reach_of(collision.geometries[i], kinematics, h, fall);
  }
}

Placed placed(const CollisionGeometry& geometry, const Kinematics& kinematics) {
  const LinkPose& X_WL = kinematics.pose[geometry.link];
  return {&geometry.collider, X_WL.R * geometry.X_LG.rotation, X_WL.R * geometry.X_LG.position + X_WL.p};
}

void place_all(const CollisionModel& collision, const Kinematics& kinematics, std::vector<Placed>& out) {
  out.resize(collision.geometries.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = placed(collision.geometries[i], kinematics);
}

void compute_boxes(const std::vector<Placed>& placed, const std::vector<double>& reach, std::vector<Aabb>& boxes) {
  boxes.resize(placed.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i] = bounding_box(placed[i]).grown(reach[i]);
}

}  // namespace stickslip
