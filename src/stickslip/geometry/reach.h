#pragma once

#include <vector>

#include "stickslip/dynamics/kinematics.h"
#include "stickslip/geometry/collision_model.h"

namespace stickslip {

// How far the surface of each geometry can move within the time h, in metres: what is within reach of each other must
// be a candidate for contact.
//
//   reach = h (|v_c| + |w| r) + h^2 |g|
//
// for every point of the ball of radius r about the geometry's centre c, with the velocities of now. A body that falls
// freely moves by h^2 |g| / 2 more; an implicit step by h^2 |g|; the tip of a hinged rod that falls over by 3/4 h^2
// |g|. Other forces (contacts, actuators, springs, the joints of a whip) are not in the bound. What they add is of
// second order in h: a method that takes long steps looks again after the solve.
//
// 0 for the world; without gravity for prescribed bodies; infinite for a half-space that turns.
void compute_reach(const CollisionModel& collision, const Model& model, const Kinematics& kinematics, double h,
                   std::vector<double>& reach);

// A geometry's collider where the kinematics have it. Needs poses.
Placed placed(const CollisionGeometry& geometry, const Kinematics& kinematics);
void place_all(const CollisionModel& collision, const Kinematics& kinematics, std::vector<Placed>& out);

// The box of each geometry where it is placed, grown by its reach; world axes.
void compute_boxes(const std::vector<Placed>& placed, const std::vector<double>& reach, std::vector<Aabb>& boxes);

}  // namespace stickslip
