#pragma once

#include "stickslip/icf/rows.h"

// Every kind of constraint and force that acts along rows. Each adds its rows for one state; a new kind is one file and
// one line here and in add_rows.
namespace stickslip {

void add_joint_limits(const RowContext& context, RowList& rows);
void add_velocity_limits(const RowContext& context, RowList& rows);
void add_dry_friction(const RowContext& context, RowList& rows);
void add_tendons(const RowContext& context, RowList& rows);
void add_actuators(const RowContext& context, RowList& rows);
void add_couplers(const RowContext& context, RowList& rows);
void add_welds(const RowContext& context, RowList& rows);
void add_balls(const RowContext& context, RowList& rows);
void add_distances(const RowContext& context, RowList& rows);

inline void add_rows(const RowContext& context, RowList& rows) {
  add_joint_limits(context, rows);
  add_velocity_limits(context, rows);
  add_dry_friction(context, rows);
  add_tendons(context, rows);
  add_actuators(context, rows);
  add_couplers(context, rows);
  add_welds(context, rows);
  add_balls(context, rows);
  add_distances(context, rows);
}

// How far constraints are violated, without what it takes to hold them: the values of the rows of the latter four, in
// their order.
void add_coupler_gaps(const PoseContext& context, std::vector<double>& gaps);
void add_weld_gaps(const PoseContext& context, std::vector<double>& gaps);
void add_ball_gaps(const PoseContext& context, std::vector<double>& gaps);
void add_distance_gaps(const PoseContext& context, std::vector<double>& gaps);

inline void measure_gaps(const PoseContext& context, std::vector<double>& gaps) {
  gaps.clear();
  add_coupler_gaps(context, gaps);
  add_weld_gaps(context, gaps);
  add_ball_gaps(context, gaps);
  add_distance_gaps(context, gaps);
}

// Whether any of them is no linear function of the joints' positions.
bool has_curved_gaps(const Model& model);

}  // namespace stickslip
