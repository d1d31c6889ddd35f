#include "stickslip/icf/potentials/body_row.h"

#include <algorithm>

#include "stickslip/dynamics/point_velocity.h"
#include "stickslip/dynamics/unit_motion.h"

namespace stickslip {
namespace {

template <typename Visit>
void for_each_dof(const RowContext& context, int body, Visit&& visit) {
  const Model& model = context.model;
  for (int i = model.bodies[body].link; i != 0; i = model.links[i].parent) {
    for (int k = 0; k < velocity_count(model.links[i].kind); ++k)
      visit(i, model.links[i].v_start + k, unit_motion(model, context.kinematics, i, k));
  }
}

void add_point_rate(const RowContext& context, int body, const Vector3d& p_W, const Vector3d& direction, double sign,
                    RowList& rows) {
  for_each_dof(context, body, [&](int link, int v, const UnitMotion& unit) {
    const Vector3d r = p_W - context.kinematics.pose[link].p;
    rows.coefficient(v, sign * direction.dot(unit.v + unit.w.cross(r)));
  });
}

void add_turn_rate(const RowContext& context, int body, const Vector3d& direction, double sign, RowList& rows) {
  for_each_dof(context, body,
               [&](int, int v, const UnitMotion& unit) { rows.coefficient(v, sign * direction.dot(unit.w)); });
}

Vector3d point_velocity(const RowContext& context, int body, const Vector3d& p_W) {
  return stickslip::point_velocity(context.kinematics, context.model.bodies[body].link, p_W);
}

// At constant v the centre of mass of a lone free body moves straight, its origin turns about that.
LinkAcceleration link_acceleration(const RowContext& context, int link) {
  const int tree = context.model.links[link].tree;
  if (tree < 0) return {};
  if (context.model.trees[tree].is_free_body) {
    const Vector3d r = context.kinematics.pose[link].R * context.model.links[link].inertia.center;
    const Vector3d& w = context.kinematics.velocity[link].w;
    return {-w.cross(w.cross(r)), Vector3d::Zero()};
  }
  const LinkAcceleration& acceleration = context.acceleration[link];
  return {acceleration.a + context.model.gravity, acceleration.alpha};
}

Vector3d point_acceleration(const RowContext& context, int body, const Vector3d& p_W) {
  const int link = context.model.bodies[body].link;
  const LinkAcceleration acceleration = link_acceleration(context, link);
  const Vector3d r = p_W - context.kinematics.pose[link].p;
  const Vector3d& w = context.kinematics.velocity[link].w;
  return acceleration.a + acceleration.alpha.cross(r) + w.cross(w.cross(r));
}

// The fastest turn [rad/s] of what carries a body: where two links turn against each other the velocity of a point at
// their end may vanish, and it moves on a curve all the same.
double turning_rate(const RowContext& context, int body) {
  const Model& model = context.model;
  double rate = 0;
  int link = model.bodies[body].link;
  for (const int tree = model.links[link].tree; tree >= 0 && model.links[link].tree == tree;
       link = model.links[link].parent)
    rate = std::max(rate, context.kinematics.velocity[link].w.norm());
  return rate;
}

const Vector3d& turn_velocity(const RowContext& context, int body) {
  return context.kinematics.velocity[context.model.bodies[body].link].w;
}

Vector3d turn_acceleration(const RowContext& context, int body) {
  return link_acceleration(context, context.model.bodies[body].link).alpha;
}

double bias_of(const RowContext& context, double rate, const RowList& rows) {
  return context.model.motions.empty() ? 0 : rate - rows.pending_rate(context.state.v);
}

}  // namespace

Vector3d relative_velocity(const RowContext& context, const ConstraintInfo& constraint, const FramePair& frames) {
  return point_velocity(context, constraint.body_b, frames.X_WB.position) -
         point_velocity(context, constraint.body_a, frames.X_WA.position);
}

ConstraintError add_relative_point_rate(const RowContext& context, const ConstraintInfo& constraint,
                                        const FramePair& frames, const Vector3d& direction, RowList& rows) {
  const Vector3d &p_A = frames.X_WA.position, &p_B = frames.X_WB.position;
  add_point_rate(context, constraint.body_b, p_B, direction, 1, rows);
  add_point_rate(context, constraint.body_a, p_A, direction, -1, rows);
  const double rate = direction.dot(relative_velocity(context, constraint, frames));
  const Vector3d curvature =
      point_acceleration(context, constraint.body_b, p_B) - point_acceleration(context, constraint.body_a, p_A);
  const auto tree_of = [&](int body) { return context.model.links[context.model.bodies[body].link].tree; };
  return {.bias = bias_of(context, rate, rows),
          .curvature = direction.dot(curvature),
          .turning_rate = std::max(turning_rate(context, constraint.body_b), turning_rate(context, constraint.body_a)),
          .moved = rows.tree_mass(tree_of(constraint.body_a)) + rows.tree_mass(tree_of(constraint.body_b))};
}

ConstraintError add_relative_turn_rate(const RowContext& context, const ConstraintInfo& constraint,
                                       const Vector3d& direction, RowList& rows) {
  add_turn_rate(context, constraint.body_b, direction, 1, rows);
  add_turn_rate(context, constraint.body_a, direction, -1, rows);
  const Vector3d rate = turn_velocity(context, constraint.body_b) - turn_velocity(context, constraint.body_a);
  const Vector3d curvature =
      turn_acceleration(context, constraint.body_b) - turn_acceleration(context, constraint.body_a);
  return {.bias = bias_of(context, direction.dot(rate), rows), .curvature = direction.dot(curvature)};
}

}  // namespace stickslip
