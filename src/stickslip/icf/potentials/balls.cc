#include "stickslip/icf/potentials/body_row.h"
#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/icf/potentials/point_rows.h"

namespace stickslip {
namespace {

bool moves_both(const Model& model, const ConstraintInfo& constraint) {
  const auto moves = [&](int body) { return model.links[model.bodies[body].link].tree >= 0; };
  return moves(constraint.body_a) && moves(constraint.body_b);
}

// While the points of two bodies are apart, forces on each of its own would turn the two together: both act half-way,
// on A and B alike. What the rate lacks by that, |gap| times the bodies' turning, is part of what the step's end
// corrects.
FramePair half_way(const FramePair& frames) {
  FramePair out = frames;
  out.X_WA.position = out.X_WB.position = 0.5 * (frames.X_WA.position + frames.X_WB.position);
  return out;
}

}  // namespace

void add_point_rows(const RowContext& context, const ConstraintInfo& constraint, const FramePair& frames,
                    RowList& rows) {
  const Vector3d gap = point_gap(frames);
  const Constraint& x = constraint.description;
  const bool is_stiff = !x.stiffness && !x.time_scale;
  const FramePair acting = is_stiff && moves_both(context.model, constraint) ? half_way(frames) : frames;
  for (int k = 0; k < 3; ++k) {
    ConstraintError error = add_relative_point_rate(context, constraint, acting, Vector3d::Unit(k), rows);
    error.value = gap[k];
    error.size = gap.norm();
    finish_constraint(context, softness(constraint.description), error, rows);
  }
  rows.tie_forces(3);
}

void add_balls(const RowContext& context, RowList& rows) {
  for_each_constraint(context.model, Constraint::Kind::kBall, [&](const ConstraintInfo& constraint) {
    add_point_rows(context, constraint, constrained_frames(context, constraint), rows);
  });
}

void add_ball_gaps(const PoseContext& context, std::vector<double>& gaps) {
  for_each_constraint(context.model, Constraint::Kind::kBall, [&](const ConstraintInfo& constraint) {
    const Vector3d gap = point_gap(constrained_frames(context, constraint));
    gaps.insert(gaps.end(), gap.begin(), gap.end());
  });
}

}  // namespace stickslip
