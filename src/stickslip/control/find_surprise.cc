#include "stickslip/control/find_surprise.h"

#include <functional>

#include "stickslip/state/configuration.h"

namespace stickslip {

SurpriseFinder::SurpriseFinder(const Model& model, const ErrorNorm& norm)
    : model_(model), norm_(norm), is_held_(model.trees.size(), 0) {}

void SurpriseFinder::begin_step() { is_held_.assign(model_.trees.size(), 0); }

void SurpriseFinder::note_activity(const std::vector<TreeActivity>& activity) {
  for (size_t i = 0; i < activity.size(); ++i)
    if (activity[i].modes != 0) is_held_[i] = 1;
}

void SurpriseFinder::forget(const MissedMotion& missed) {
  found_ = true;
  for (VectorXd* x : {&impulse_, &v_, &dq_}) x->setZero(missed.v.size());
  z_.setZero(missed.of.z.size());
}

// Of an extrapolated result 2 x_half - x_full, the full step and the first half know nothing of a force that came
// within the first half and lasts: the second half's takes it for one of the whole step. So it was there for half a
// step too long, and led on by h^2/2 where h^2/8 was right.
void SurpriseFinder::keep(const MissedMotion& missed, const WatchedStep& step) {
  const double h = step.h;
  switch (missed.of.kind) {
    case MissedImpulse::kSoFar:
      impulse_ = missed.of.impulse;
      v_ = missed.v;
      z_ = missed.of.z;
      break;
    case MissedImpulse::kLead:
      dq_ = missed.v;
      break;
    case MissedImpulse::kMiddle:
      for (const Link& link : model_.links) {
        if (link.tree < 0 || !step.extrapolated || !(*step.extrapolated)[link.tree]) continue;
        for (int i = link.v_start; i < link.v_start + velocity_count(link.kind); ++i) {
          impulse_[i] -= 0.5 * h * missed.of.impulse[i];
          v_[i] -= 0.5 * h * missed.v[i];
          dq_[i] -= 0.375 * h * h * missed.v[i];
        }
      }
      if (step.extrapolated_z) z_ -= 0.5 * h * missed.of.z;
      break;
  }
}

// Returns the work of what was missed.
double SurpriseFinder::add_to(State& next) {
  if (!found_) return 0;
  const double work = impulse_.dot(next.v + 0.5 * v_);
  next.v += v_;
  next.z += z_;
  for (const Link& link : model_.links) {
    if (link.tree >= 0 && is_held_[link.tree]) dq_.segment(link.v_start, velocity_count(link.kind)).setZero();
  }
  end_q_ = next.q;
  integrate(model_, end_q_, dq_, next.q);
  return work;
}

Surprise SurpriseFinder::find(ConvexMethod& method, const WatchedStep& step, double allowed, State& next) {
  Surprise surprise;
  found_ = false;
  const auto judge = [&](const MissedMotion& missed) {
    if (!found_) forget(missed);
    if (missed.of.kind == MissedImpulse::kSoFar) {
      surprise.error = measure_missed(norm_, step.h, missed.v, missed.of.z, next);
      if (!(surprise.error <= allowed)) {
        surprise.quiet = missed.of.before;
        return false;
      }
    }
    keep(missed, step);
    return true;
  };
  method.watch_systems(*step.start, step.middle, next,
                       std::cref(judge));  // by reference: it needs no memory of its own
  if (surprise.quiet == kInfinity) surprise.work = add_to(next);
  return surprise;
}

}  // namespace stickslip
