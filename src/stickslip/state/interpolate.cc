#include "stickslip/state/interpolate.h"

#include <cmath>

#include "stickslip/state/configuration.h"

namespace stickslip {
namespace {

// How far the mean of the velocities may be from the way gone, relative to the larger of them, to count as agreeing.
constexpr double kAgreement = 0.25;

// A velocity that changes by more than this part of itself was struck, unless weight alone could do it.
constexpr double kSteadiness = 0.5, kWeights = 2;

}  // namespace

Interpolator::Interpolator(const Model& model, const State& from, const State& to) { reset(model, from, to); }

void Interpolator::reset(const Model& model, const State& from, const State& to) {
  model_ = &model;
  from_ = &from;
  to_ = &to;
  h_ = to.time - from.time;
  way_.resize(model.nv);
  end_.resize(model.nv);
  difference(model, to.q, from.q, way_);
  start_ = h_ * from.v;
  tangent_rate(model, way_, to.v, end_);
  end_ *= h_;
  is_smooth_.assign(model.links.size(), 0);
  for (size_t i = 0; i < model.links.size(); ++i) {
    const int first = model.links[i].v_start, count = velocity_count(model.links[i].kind);
    const auto start = start_.segment(first, count), end = end_.segment(first, count);
    const double off = (way_.segment(first, count) - 0.5 * (start + end)).norm();
    const double larger = std::max(start.norm(), end.norm()), change = (end - start).norm();
    const bool struck = change > std::max(kSteadiness * larger, kWeights * model.gravity.norm() * h_ * h_);
    is_smooth_[i] = !struck && off <= kAgreement * larger;
  }
}

void Interpolator::at(double part, VectorXd& q, VectorXd& v) {
  const double s = part, r = 1 - part;
  displacement_ = s * way_;
  v = from_->v + s * (to_->v - from_->v);
  for (size_t i = 0; i < is_smooth_.size(); ++i) {
    if (!is_smooth_[i]) continue;
    const int first = model_->links[i].v_start, count = velocity_count(model_->links[i].kind);
    displacement_.segment(first, count) = s * s * (3 - 2 * s) * way_.segment(first, count) +
                                          s * r * r * start_.segment(first, count) -
                                          s * s * r * end_.segment(first, count);
  }
  integrate(*model_, from_->q, displacement_, q);
}

}  // namespace stickslip
