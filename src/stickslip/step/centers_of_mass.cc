#include "stickslip/step/centers_of_mass.h"

#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

Vector3d turning_acceleration(const Link& link, const Matrix3d& R, const Vector3d& w) {
  return w.cross(w.cross(R * link.inertia.center));
}

Matrix3d orientation(const VectorXd& q, const Link& link) {
  const int i = link.q_start + 3;
  return Quaterniond(q[i], q[i + 1], q[i + 2], q[i + 3]).toRotationMatrix();
}

// v_c - v_o
Vector3d velocity_of_arm(const Link& link, const Matrix3d& R, const VectorXd& v) {
  const Vector3d w_B = v.segment<3>(link.v_start + 3);
  return R * w_B.cross(link.inertia.center);
}

}  // namespace

std::vector<int> find_off_center_links(const Model& model) {
  std::vector<int> links;
  for (int tree : model.free_trees) {
    const int link = model.trees[tree].first_link;
    if (!model.links[link].inertia.center.isZero(0)) links.push_back(link);
  }
  return links;
}

void add_turning_force(const Model& model, const std::vector<int>& links, const EquationsOfMotion& equations,
                       VectorXd& force) {
  for (int i : links) {
    const Link& link = model.links[i];
    const Matrix3d& R = equations.kinematics.pose[i].R;
    const Vector3d f = link.inertia.mass * turning_acceleration(link, R, equations.kinematics.velocity[i].w);
    force.segment<3>(link.v_start) += f;
    force.segment<3>(link.v_start + 3) += link.inertia.center.cross(R.transpose() * f);  // none about the centre
  }
}

void add_turning_acceleration(const Model& model, const std::vector<int>& links, const Kinematics& kinematics,
                              VectorXd& vdot) {
  for (int i : links) {
    const Link& link = model.links[i];
    vdot.segment<3>(link.v_start) += turning_acceleration(link, kinematics.pose[i].R, kinematics.velocity[i].w);
  }
}

void follow_centers(const Model& model, const std::vector<int>& links, const Kinematics& start, double h,
                    const VectorXd& solved, VectorXd& displacement, VectorXd& v) {
  for (int i : links) {
    const Link& link = model.links[i];
    const Matrix3d& R0 = start.pose[i].R;
    const Matrix3d R1 = R0 * exp_quaternion(displacement.segment<3>(link.v_start + 3)).toRotationMatrix();
    const Vector3d r0 = R0 * link.inertia.center, r1 = R1 * link.inertia.center;
    const Vector3d w0 = R0 * solved.segment<3>(link.v_start + 3), w1 = R1 * v.segment<3>(link.v_start + 3);
    displacement.segment<3>(link.v_start) += h * w0.cross(r0) - (r1 - r0);
    v.segment<3>(link.v_start) += w0.cross(r0) - w1.cross(r1);
  }
}

void extrapolate_center(const Link& link, const State& half, const State& full, double share, VectorXd& difference,
                        VectorXd& v) {
  const Matrix3d R_half = orientation(half.q, link), R_full = orientation(full.q, link);
  const Matrix3d R = R_half * exp_quaternion(difference.segment<3>(link.v_start + 3)).toRotationMatrix();
  difference.segment<3>(link.v_start) += ((1 + share) * R_half - share * R_full - R) * link.inertia.center;
  v.segment<3>(link.v_start) += (1 + share) * velocity_of_arm(link, R_half, half.v) -
                                share * velocity_of_arm(link, R_full, full.v) - velocity_of_arm(link, R, v);
}

}  // namespace stickslip
