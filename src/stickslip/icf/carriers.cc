#include "stickslip/icf/carriers.h"

#include <algorithm>

#include "stickslip/dynamics/point_velocity.h"
#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

// How far a carrier may be, in the middle of a step, from where a velocity linear in time has it: a part of its way, so
// that a sine is looked at nine times a period, or a small distance, so that jumps of the velocity are passed.
constexpr double kNearLinear = 0.01, kSmallDistance = 1e-5;  // [m]

LinkPose displacement(const LinkPose& from, const LinkPose& to) {
  LinkPose out;
  out.R = to.R * from.R.transpose();
  out.p = to.p - out.R * from.p;
  return out;
}

}  // namespace

const Carriers::Motion& Carriers::motion_of(const Model& model, const Kinematics& kinematics, double h, int link) {
  const auto found =
      std::find_if(motions_.begin(), motions_.end(), [&](const Motion& motion) { return motion.link == link; });
  if (found != motions_.end()) return *found;
  Motion motion;
  motion.link = link;
  motion.to_middle = displacement(kinematics.pose[link], prescribed_pose(model, middle_, link));
  motion.to_end = displacement(kinematics.pose[link], prescribed_pose(model, end_, link));
  motion.angular = log_quaternion(Quaterniond(motion.to_end.R)) / h - kinematics.velocity[link].w;
  motions_.push_back(motion);
  return motions_.back();
}

// Points turn about their patch's centre without being drawn to it, as those of the other body do within a step: what
// turns together does not rub.
void Carriers::add_mean_motion(const Model& model, const State& start, const Kinematics& kinematics,
                               const ContactTermsList& contacts, Problem& problem) {
  are_resolved_ = true;
  if (model.motions.empty()) return;
  motions_.clear();
  middle_ = end_ = start;
  middle_.time += 0.5 * problem.h;
  end_.time += problem.h;
  for (const Patch& patch : problem.patches) {
    const PatchTerms& terms = contacts.patches[patch.source];
    const auto add = [&](int link, double sign) {
      if (link < 0) return;
      const Motion& motion = motion_of(model, kinematics, problem.h, link);
      const Vector3d center = contacts.contacts[terms.first].point - contacts.contacts[terms.first].placed.arm;
      const Vector3d way = motion.to_end.R * center + motion.to_end.p - center;
      const Vector3d straight = problem.h * point_velocity(kinematics, link, center);
      const Vector3d halfway = motion.to_middle.R * center + motion.to_middle.p - center;
      const double off = (halfway - 0.25 * (straight + way)).norm();
      if (off > std::max(kSmallDistance, kNearLinear * std::max(way.norm(), straight.norm()))) are_resolved_ = false;
      const Vector3d more = (way - straight) / problem.h;
      for (int i = patch.first; i < patch.first + patch.count; ++i) {
        PatchContact& contact = problem.contacts[i];
        contact.bias += sign * (contact.frame.transpose() * (more + motion.angular.cross(contact.arm)));
      }
      problem.has_bias = true;
    };
    if (terms.carrier_a == terms.carrier_b) continue;  // they move together
    add(terms.carrier_a, -1);
    add(terms.carrier_b, 1);
  }
}

}  // namespace stickslip
