#pragma once

#include <vector>

#include "stickslip/dynamics/equations_of_motion.h"
#include "stickslip/state/state.h"

// A lone free body whose origin is not its centre of mass. State::v has the velocity of the origin, which turns about
// the centre; a step that takes it for constant loses momentum of the order of the step. The centre's velocity changes
// by forces alone: what steps move is the centre, and the origin follows.
//
//   v_o = v_c - w x r,   x_o = x_c - r,   r = R c
namespace stickslip {

// The links of such bodies.
std::vector<int> find_off_center_links(const Model& model);

// The bias has the force m w x (w x r) that keeps the centre turning about the origin. Adds its opposite to a force in
// the layout of State::v, so that M vdot = force says how the velocity of the centre changes.
void add_turning_force(const Model& model, const std::vector<int>& links, const EquationsOfMotion& equations,
                       VectorXd& force);

// The same for vdot.
void add_turning_acceleration(const Model& model, const std::vector<int>& links, const Kinematics& kinematics,
                              VectorXd& vdot);

// `v` at the end of a step h and `displacement` = h v, told at the pose of its start, but for what free turns made of
// them: afterwards those of an origin that follows the centre. `solved`: v before the turns; may be `v` if there were
// none.
void follow_centers(const Model& model, const std::vector<int>& links, const Kinematics& start, double h,
                    const VectorXd& solved, VectorXd& displacement, VectorXd& v);

// `difference` = share (half.q (-) full.q), by which half.q is extrapolated, and `v` = half.v + share (half.v -
// full.v): afterwards those of an origin that follows the extrapolated centre of a link.
void extrapolate_center(const Link& link, const State& half, const State& full, double share, VectorXd& difference,
                        VectorXd& v);

}  // namespace stickslip
