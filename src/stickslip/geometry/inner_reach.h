#pragma once

#include <utility>
#include <vector>

#include "stickslip/dynamics/kinematics.h"
#include "stickslip/geometry/aabb.h"
#include "stickslip/geometry/collision_model.h"

namespace stickslip {

// How far surfaces of one robot can move against each other within the time h. The motion that all of its links share
// brings none of them together: by Galileo's principle a robot that flies folds as one at rest does. So the reach (see
// compute_reach) is taken in a frame that moves with the robot's centre of mass, and turns with its mean angular
// velocity w where that makes it shorter:
//
//   reach = h (|u| + |w_i - w| r) + h^2 |w| (|w| R + 2 |u|),   u = v_c - v_frame(c)
//
// where R is the distance of the geometry's farthest point from the centre of mass: the last term is what turning makes
// of straight paths.
//
// A robot that strikes something may be stopped in part, and folds at the speed that it loses: see find_strikes. Then
// gravity acts on what is not stopped. Otherwise it moves all links alike.
struct InnerReach {
  std::vector<double> of;      // of each geometry, against those of its own robot; empty if no robot is worth it
  std::vector<char> is_worth;  // of each robot: what its links share is long enough to matter
  std::vector<double> strike;  // of each robot: what to add to each side, see find_strikes
  double h = 0, fall = 0, friction = 0;
  double scale = 1;  // of all reaches

  bool applies(const CollisionGeometry& a, const CollisionGeometry& b) const {
    return !of.empty() && a.robot >= 0 && a.robot == b.robot && is_worth[a.robot] != 0;
  }
  double between(const CollisionModel& collision, int a, int b) const {
    return of[a] + of[b] + 2 * strike[collision.geometries[a].robot];
  }
};

// `reach` is that of compute_reach for the same time. `friction` is the largest of the scene; `is_pushed`: forces from
// outside may act that are not contact.
void compute_inner_reach(const CollisionModel& collision, const Model& model, const Kinematics& kinematics,
                         const std::vector<double>& reach, double h, double friction, bool is_pushed, InnerReach& out);

// What contact with other things can change. A pair of geometries strikes if its gap along all three axes may close
// within h; a surface that comes near at the speed s changes velocities by (1 + mu) s at most where it acts. Pairs are
// those whose boxes, grown by their reach, overlap.
void find_strikes(const CollisionModel& collision, const Kinematics& kinematics, const std::vector<Placed>& placed,
                  const std::vector<Aabb>& boxes, const std::vector<double>& reach,
                  const std::vector<std::pair<int, int>>& pairs, InnerReach& inner);

}  // namespace stickslip
