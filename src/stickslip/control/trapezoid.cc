#include "stickslip/control/trapezoid.h"

#include <algorithm>

namespace stickslip {

Trapezoid::Trapezoid(const Model& model, std::unique_ptr<ConvexMethod> method, ErrorNorm norm, double accuracy)
    : model_(model),
      method_(std::move(method)),
      norm_(std::move(norm)),
      energy_guard_(model, accuracy),
      start_(method_->make_prepared()),
      end_(method_->make_prepared()),
      errors_(model.trees.size(), TreeError::kSmooth),
      surprise_finder_(model, norm_) {}

Status Trapezoid::prepare(const State& start, double h_max) { return method_->prepare(start, h_max, *start_); }

Status Trapezoid::attempt(double h, State& next, Attempt& attempt) {
  Status status = method_->advance(*start_, h, predicted_);
  if (!status.ok()) return status;
  attempt.longest = method_->trusted_step();
  method_->read_activity(activity_);
  const StepWork work = method_->work();
  status = method_->prepare(predicted_, h, *end_);
  if (status.ok()) status = method_->correct(*start_, *end_, h, next);
  if (!status.ok()) return status;
  attempt.longest = std::min(attempt.longest, method_->trusted_step());
  attempt.error = measure(model_, norm_, next, predicted_, errors_, difference_);
  attempt.work = keep_predicted(h, next) ? work : method_->work();
  attempt.overlap = method_->deepest_overlap(*start_);
  return status;
}

namespace {

// Lone bodies that loops hold and that turn by less in a step are where the trapezoid rule tells [rad].
constexpr double kHeldTurn = 0.01;

}  // namespace

bool Trapezoid::turns(size_t tree, double h) const {
  if (!model_.trees[tree].is_free_body) return false;
  const int w = model_.links[model_.trees[tree].first_link].v_start + 3;
  return h * predicted_.v.segment<3>(w).norm() > kHeldTurn;
}

// Islands in which something stiff hits, or holds a body that turns, end as the step that was their prediction. That
// one aims at the surface, or the rope, where it ends. The mean of the velocities before and after an impact goes on
// into the surface, which stores what nothing gave, and on a rope it makes energy from turn to turn. True if no other
// island is left.
bool Trapezoid::keep_predicted(double h, State& next) {
  keeps_.assign(model_.trees.size(), 0);
  for (size_t i = 0; i < activity_.size(); ++i) {
    const TreeActivity& tree = activity_[i];
    if (tree.island >= 0 && (tree.is_hit || (tree.is_constrained && turns(i, h)))) keeps_[tree.island] = 1;
  }
  bool all = true;
  for (const Link& link : model_.links) {
    if (link.tree < 0 || activity_[link.tree].island < 0) continue;
    if (!keeps_[activity_[link.tree].island]) {
      all = false;
      continue;
    }
    const int nq = position_count(link.kind), nv = velocity_count(link.kind);
    next.q.segment(link.q_start, nq) = predicted_.q.segment(link.q_start, nq);
    next.v.segment(link.v_start, nv) = predicted_.v.segment(link.v_start, nv);
  }
  return all;
}

EnergyGain Trapezoid::measure_gain(double h, const State& next, const StepWork& work) {
  energy_guard_.forget_islands();
  method_->read_activity(activity_);
  energy_guard_.join(activity_);
  return energy_guard_.measure(h, next, work);
}

Surprise Trapezoid::look_for_surprises(double h, State& next, double allowed) {
  surprise_finder_.begin_step();
  method_->read_activity(activity_);
  surprise_finder_.note_activity(activity_);
  return surprise_finder_.find(*method_, {.start = start_.get(), .h = h}, allowed, next);
}

}  // namespace stickslip
