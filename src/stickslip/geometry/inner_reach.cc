#include "stickslip/geometry/inner_reach.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

// A robot whose links share less than this part of their radii in a step is left alone.
constexpr double kWorth = 0.25;

// The mean motion of a robot's links.
struct SharedMotion {
  Vector3d center = Vector3d::Zero();  // of mass
  Vector3d v = Vector3d::Zero();       // of it
  Vector3d w = Vector3d::Zero();       // as if the robot were rigid, with the same angular momentum
};

SharedMotion shared_motion(const Model& model, const Kinematics& kinematics, const Tree& tree) {
  SharedMotion out;
  double mass = 0;
  const auto for_each_link = [&](auto&& use) {
    for (int i = tree.first_link; i < tree.first_link + tree.link_count; ++i) {
      const Link& link = model.links[i];
      if (!(link.inertia.mass > 0)) continue;
      const LinkPose& pose = kinematics.pose[i];
      const LinkVelocity& velocity = kinematics.velocity[i];
      const Vector3d arm = pose.R * link.inertia.center;
      use(link.inertia, pose.R, velocity, pose.p + arm, velocity.v + velocity.w.cross(arm));
    }
  };
  for_each_link([&](const MassProperties& inertia, const Matrix3d&, const LinkVelocity&, const Vector3d& center,
                    const Vector3d& v) {
    mass += inertia.mass;
    out.center += inertia.mass * center;
    out.v += inertia.mass * v;
  });
  if (!(mass > 0)) return out;
  out.center /= mass;
  out.v /= mass;
  Matrix3d whole = Matrix3d::Zero();
  Vector3d momentum = Vector3d::Zero();
  for_each_link([&](const MassProperties& inertia, const Matrix3d& R, const LinkVelocity& velocity,
                    const Vector3d& center, const Vector3d& v) {
    const Vector3d arm = center - out.center;
    const Matrix3d own = R * inertia.inertia * R.transpose();
    whole += own + inertia.mass * (arm.squaredNorm() * Matrix3d::Identity() - arm * arm.transpose());
    momentum += own * velocity.w + inertia.mass * arm.cross(v - out.v);
  });
  const Vector3d w = whole.ldlt().solve(momentum);
  if (w.allFinite()) out.w = w;  // any frame will do
  return out;
}

// Of a geometry in the frame that moves as `shared`, and turns if `turns`.
double reach_in(const SharedMotion& shared, bool turns, const CollisionGeometry& geometry, const Kinematics& kinematics,
                double h) {
  const LinkPose& pose = kinematics.pose[geometry.link];
  const LinkVelocity& velocity = kinematics.velocity[geometry.link];
  const Vector3d r = pose.R * geometry.center;
  const Vector3d arm = pose.p + r - shared.center;
  Vector3d u = velocity.v + velocity.w.cross(r) - shared.v;
  if (!turns) return h * (u.norm() + velocity.w.norm() * geometry.radius);
  u -= shared.w.cross(arm);
  const double w = shared.w.norm(), speed = u.norm() + (velocity.w - shared.w).norm() * geometry.radius;
  return h * speed + h * h * w * (w * (arm.norm() + geometry.radius) + 2 * speed);
}

// Fills out.of of one robot; whether that makes its geometries' reaches shorter by enough.
bool compute_within(const CollisionModel& collision, const Model& model, const Kinematics& kinematics,
                    const std::vector<double>& reach, const FreeRobot& robot, double always, InnerReach& out) {
  double whole = 0, size = 0;
  for (const int i : robot.geometries) {
    whole += reach[i] - out.fall;
    size += collision.geometries[i].radius;
  }
  if (!(whole > kWorth * size)) return false;
  const SharedMotion shared = shared_motion(model, kinematics, model.trees[robot.tree]);
  double straight = 0, turning = 0;
  for (const int i : robot.geometries) {
    const CollisionGeometry& geometry = collision.geometries[i];
    straight += out.of[i] = reach_in(shared, false, geometry, kinematics, out.h);
    turning += reach_in(shared, true, geometry, kinematics, out.h);
  }
  if (turning < straight) {
    for (const int i : robot.geometries) out.of[i] = reach_in(shared, true, collision.geometries[i], kinematics, out.h);
  }
  for (const int i : robot.geometries) out.of[i] += always;
  return whole - std::min(straight, turning) > kWorth * size;
}

// Of the surfaces of two geometries towards each other, at most; negative if they cannot meet within h.
double striking_speed(const CollisionGeometry& a, const CollisionGeometry& b, const Placed& placed_b,
                      const Kinematics& kinematics, const Aabb& box_a, const Aabb& box_b, double h, double fall) {
  const auto speed_of = [&](const CollisionGeometry& geometry, Vector3d& v) {
    const LinkVelocity& velocity = kinematics.velocity[geometry.link];
    v = velocity.v + velocity.w.cross(kinematics.pose[geometry.link].R * geometry.center);
    const double turning = velocity.w.norm();
    return turning > 0 ? turning * geometry.radius : 0;  // 0 times an infinite radius is no motion
  };
  Vector3d v_a, v_b;
  const double rims = speed_of(a, v_a) + speed_of(b, v_b);
  const Vector3d u = v_a - v_b;
  if (b.collider.kind == ColliderKind::kHalfSpace) {
    const Vector3d n = placed_b.R.col(2);
    const double gap = n.dot(box_a.center() - placed_b.p) - n.cwiseAbs().dot(box_a.half());
    const double speed = std::max(0.0, -n.dot(u)) + rims;
    return gap > h * speed + fall ? -1 : speed;
  }
  for (int k = 0; k < 3; ++k) {
    const double above = box_a.lower[k] - box_b.upper[k], below = box_b.lower[k] - box_a.upper[k];
    if (above > h * (std::max(0.0, -u[k]) + rims) + fall || below > h * (std::max(0.0, u[k]) + rims) + fall) return -1;
  }
  return u.norm() + rims;
}

}  // namespace

void compute_inner_reach(const CollisionModel& collision, const Model& model, const Kinematics& kinematics,
                         const std::vector<double>& reach, double h, double friction, bool is_pushed, InnerReach& out) {
  out.of.clear();
  if (collision.free_robots.empty()) return;
  out.h = h;
  out.fall = h * h * model.gravity.norm();
  out.friction = friction;
  out.scale = 1;
  out.of.resize(reach.size());
  out.is_worth.assign(collision.free_robots.size(), 0);
  out.strike.assign(collision.free_robots.size(), 0);
  const double always = collision.falls_alike && !is_pushed ? 0 : out.fall;
  bool any = false;
  for (std::size_t i = 0; i < collision.free_robots.size(); ++i) {
    const FreeRobot& robot = collision.free_robots[i];
    if (robot.geometries.size() < 2) continue;
    out.is_worth[i] = compute_within(collision, model, kinematics, reach, robot, always, out);
    any |= out.is_worth[i] != 0;
  }
  if (!any) out.of.clear();
}

void find_strikes(const CollisionModel& collision, const Kinematics& kinematics, const std::vector<Placed>& placed,
                  const std::vector<Aabb>& boxes, const std::vector<double>& reach,
                  const std::vector<std::pair<int, int>>& pairs, InnerReach& inner) {
  inner.strike.assign(collision.free_robots.size(), 0);
  const auto strike = [&](int i, int other) {
    const CollisionGeometry &a = collision.geometries[i], &b = collision.geometries[other];
    if (a.robot < 0 || !inner.is_worth[a.robot]) return;
    // Both sides may fall, and what falls on something else may be stopped by it.
    const double falls = (b.is_mobile ? 2 : 1) * inner.fall;
    const double speed = striking_speed(a, b, placed[other], kinematics, boxes[i].grown(-reach[i]),
                                        boxes[other].grown(-reach[other]), inner.h, falls);
    if (speed < 0) return;
    double& most = inner.strike[a.robot];
    most = std::max(most, inner.scale * (1 + inner.friction) * (inner.h * speed + inner.fall));
  };
  for (const auto& [a, b] : pairs) {
    if (collision.geometries[a].robot == collision.geometries[b].robot && collision.geometries[a].robot >= 0) continue;
    strike(a, b);
    strike(b, a);
  }
}

}  // namespace stickslip
