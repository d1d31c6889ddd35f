#include "stickslip/control/trapezoid.h"

#include <algorithm>

#include "stickslip/control/find_surprise.h"

namespace stickslip {

Trapezoid::Trapezoid(const Model& model, std::unique_ptr<ConvexMethod> method, ErrorNorm norm)
    : model_(model),
      method_(std::move(method)),
      norm_(std::move(norm)),
      start_(method_->make_prepared()),
      end_(method_->make_prepared()),
      errors_(model.trees.size(), TreeError::kSmooth) {}

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

Surprise Trapezoid::look_for_surprises(double h, const State& next, double allowed) {
  return find_surprise(*method_, *start_, nullptr, norm_, h, next, allowed);
}

}  // namespace stickslip
