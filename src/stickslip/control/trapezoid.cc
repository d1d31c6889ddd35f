#include "stickslip/control/trapezoid.h"

#include <algorithm>

namespace stickslip {

Trapezoid::Trapezoid(const Model& model, std::unique_ptr<ConvexMethod> method, ErrorNorm norm)
    : model_(model),
      method_(std::move(method)),
      norm_(std::move(norm)),
      start_(method_->make_prepared()),
      end_(method_->make_prepared()),
      errors_(model.trees.size(), TreeError::kSmooth),
      surprise_finder_(model, norm_) {}

Status Trapezoid::prepare(const State& start, double h_max) { return method_->prepare(start, h_max, *start_); }

Status Trapezoid::attempt(double h, State& next, Attempt& attempt) {
  Status status = method_->advance(*start_, h, predicted_);
  if (!status.ok()) return status;
  attempt.longest = method_->trusted_step();
  status = method_->prepare(predicted_, h, *end_);
  if (status.ok()) status = method_->correct(*start_, *end_, h, next);
  if (!status.ok()) return status;
  attempt.longest = std::min(attempt.longest, method_->trusted_step());
  attempt.error = measure(model_, norm_, next, predicted_, errors_, difference_);
  attempt.work = method_->work();
  attempt.overlap = method_->deepest_overlap(*start_);
  return status;
}

Surprise Trapezoid::look_for_surprises(double h, State& next, double allowed) {
  surprise_finder_.begin_step();
  method_->read_activity(activity_);
  surprise_finder_.note_activity(activity_);
  return surprise_finder_.find(*method_, {.start = start_.get(), .h = h}, allowed, next);
}

}  // namespace stickslip
