#include "stickslip/icf/potentials/body_row.h"

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
  const int link = context.model.bodies[body].link;
  const LinkVelocity& velocity = context.kinematics.velocity[link];
  return velocity.v + velocity.w.cross(p_W - context.kinematics.pose[link].p);
}

const Vector3d& turn_velocity(const RowContext& context, int body) {
  return context.kinematics.velocity[context.model.bodies[body].link].w;
}

bool has_prescribed_motion(const Model& model) { return !model.motions.empty(); }

}  // namespace

double add_relative_point_rate(const RowContext& context, const ConstraintInfo& constraint, const FramePair& frames,
                               const Vector3d& direction, RowList& rows) {
  const Vector3d &p_A = frames.X_WA.position, &p_B = frames.X_WB.position;
  add_point_rate(context, constraint.body_b, p_B, direction, 1, rows);
  add_point_rate(context, constraint.body_a, p_A, direction, -1, rows);
  if (!has_prescribed_motion(context.model)) return 0;
  const Vector3d rate =
      point_velocity(context, constraint.body_b, p_B) - point_velocity(context, constraint.body_a, p_A);
  return direction.dot(rate) - rows.pending_rate(context.state.v);
}

double add_relative_turn_rate(const RowContext& context, const ConstraintInfo& constraint, const Vector3d& direction,
                              RowList& rows) {
  add_turn_rate(context, constraint.body_b, direction, 1, rows);
  add_turn_rate(context, constraint.body_a, direction, -1, rows);
  if (!has_prescribed_motion(context.model)) return 0;
  const Vector3d rate = turn_velocity(context, constraint.body_b) - turn_velocity(context, constraint.body_a);
  return direction.dot(rate) - rows.pending_rate(context.state.v);
}

}  // namespace stickslip
