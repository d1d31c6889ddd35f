#include "stickslip/systems/watch_systems.h"

#include <algorithm>
#include <cmath>

#include "stickslip/base/hash.h"
#include "stickslip/state/configuration.h"

namespace stickslip {
namespace {

// Of what a system gives: less is round-off, and that of its differences.
constexpr double kRoundOff = 1e-10;

// Where something jumps between two looks it is found to so many halvings of the time between, so often in half a step.
constexpr int kBisections = 4, kMostJumps = 16;

// The smaller of two of one sign; 0 of two signs.
double common_part(double a, double b) {
  if (a * b <= 0) return 0;
  return std::abs(a) < std::abs(b) ? a : b;
}

// Of what differs by `curve` at the end and by `half` in the middle: all of it if it grew like s or s^2, nothing if it
// was there by the middle.
double smooth_part(double half, double curve) {
  if (half * curve <= 0) return 0;
  const double early = std::max(0.0, std::abs(half) - 0.5 * std::abs(curve));
  return std::copysign(std::max(0.0, std::min(std::abs(curve), 4 * std::abs(half)) - 2 * early), curve);
}

// How far x lies outside of what is between a and b.
double outside(double x, double a, double b) {
  const auto [low, high] = std::minmax(a, b);
  return x < low ? x - low : std::max(0.0, x - high);
}

// The place of looks within their parts of the way, from 0 to 1: any, but the same for the same state.
double drawn(double time) {
  Hash hash;
  hash.add(time);
  return std::ldexp(static_cast<double>(hash.value() >> 11), -53);
}

double within(double x, double limit) { return std::clamp(x, -limit, limit); }

// A state between two, on the straight way.
void go_between(const Model& model, const State& from, const State& to, const VectorXd& dq, double s, VectorXd& tangent,
                State& out) {
  out.time = from.time + s * (to.time - from.time);
  tangent = s * dq;
  integrate(model, from.q, tangent, out.q);
  out.v = from.v + s * (to.v - from.v);
  out.z = from.z + s * (to.z - from.z);
}

}  // namespace

SystemWatch::SystemWatch(std::shared_ptr<const SystemList> systems) : systems_(std::move(systems)) {
  const std::vector<SystemEntry>& entries = systems_->entries();
  for (size_t i = 0; i < entries.size(); ++i) {
    memory_.emplace_back().scratch = entries[i].system->make_scratch(systems_->model());
    if (entries[i].resolution == kInfinity) continue;
    watched_.push_back(i);
    resolution_ = std::min(resolution_, entries[i].resolution);
  }
}

void SystemWatch::ask(size_t index, const State& state, Output& out) {
  const SystemEntry& entry = systems_->entries()[index];
  const SystemInput input = input_of(entry, systems_->model(), state);
  System::Scratch* scratch = memory_[index].scratch.get();
  out.g.setZero(systems_->model().nv);
  out.h.setZero(entry.nz);
  entry.system->output(input, scratch, out.g);
  if (entry.nz > 0) entry.system->derivative(input, scratch, out.h);
}

// How g and h change over the whole half, whose change of position is dq_, of velocity tangent_ and of states z_.
void SystemWatch::set_slope(size_t index, const SystemJacobians& x, double h, Output& slope) const {
  const SystemEntry& entry = systems_->entries()[index];
  slope.g.setZero(systems_->model().nv);
  slope.h.setZero(entry.nz);
  if (!entry.implicit) return;
  const auto own_z = z_.segment(entry.z_start, entry.nz);
  slope.h = h * x.h_t + x.h_z * own_z;
  for (size_t k = 0; k < entry.dofs.size(); ++k) {
    const int v = entry.dofs[k].v;
    const auto column = static_cast<Eigen::Index>(k);
    slope.g[v] += h * x.g_t[column];
    if (entry.nz > 0) {  // a matrix of nothing has no rows and columns in memory
      slope.h += dq_[v] * x.h_q.col(column) + tangent_[v] * x.h_v.col(column);
      slope.g[v] += x.g_z.row(column).dot(own_z);
    }
    for (size_t row = 0; row < entry.dofs.size(); ++row) {
      const auto r = static_cast<Eigen::Index>(row);
      slope.g[entry.dofs[row].v] += dq_[v] * x.g_q(r, column) + tangent_[v] * x.g_v(r, column);
    }
  }
}

void SystemWatch::begin_half(int half, const State& from, const State& to, const std::vector<SystemTerms>& terms) {
  difference(systems_->model(), to.q, from.q, dq_);
  tangent_ = to.v - from.v;
  z_ = to.z - from.z;
  for (size_t index : watched_) {
    Half& own = memory_[index].halves[half];
    set_slope(index, terms[index].jacobians, to.time - from.time, own.slope);
    ask(index, to, own.end);
    own.curve.g = own.end.g - own.start.g - own.slope.g;
    own.curve.h = own.end.h - own.start.h - own.slope.h;
  }
}

// Of one system at the part s of a half. Joints' limits bound what a surprise can come to.
void SystemWatch::add_surprise(const Output& now, size_t index, int half, double s, Missed& out) const {
  const SystemEntry& entry = systems_->entries()[index];
  const Memory& m = memory_[index];
  const Half& own = m.halves[half];
  const auto surprise = [&](double x, double x0, double slope, double c) {
    const double off = std::isfinite(x) ? outside(x - x0 - s * slope, s * s * c, s * c) : kInfinity;
    if (std::abs(off) <= kRoundOff * (std::abs(x) + std::abs(x0) + std::abs(slope))) return 0.0;
    out.found = true;
    out.is_large = out.is_large || std::abs(off) > std::abs(c);
    return off;
  };
  for (Eigen::Index i = 0; i < now.g.size(); ++i) {
    double off = surprise(now.g[i], own.start.g[i], own.slope.g[i], m.common.g[i]);
    if (off != 0 && entry.limits.size() > 0 && std::isfinite(off))
      off = within(now.g[i], entry.limits[i]) - within(now.g[i] - off, entry.limits[i]);
    out.g[i] += off;
  }
  for (Eigen::Index i = 0; i < now.h.size(); ++i)
    out.h[entry.z_start + i] += surprise(now.h[i], own.start.h[i], own.slope.h[i], m.common.h[i]);
}

// Of all systems: at the end of a half, which is known, or on the way there.
void SystemWatch::find_missed(const Way& way, double s, Missed& out) {
  out.found = out.is_large = false;
  out.g.setZero(systems_->model().nv);
  out.h.setZero(systems_->nz());
  if (s < 1) go_between(systems_->model(), way.from, way.to, dq_, s, tangent_, moved_);
  for (size_t index : watched_) {
    Memory& m = memory_[index];
    if (s < 1) ask(index, moved_, m.now);
    add_surprise(s < 1 ? m.now : m.halves[way.half].end, index, way.half, s, out);
  }
}

// Where between two looks something jumped, as parts of the way between which it did.
void SystemWatch::find_jump(const Way& way, double& low, double& high) {
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (low + high);
    find_missed(way, middle, between_);
    const double before = (between_.g - last_.g).lpNorm<1>() + (between_.h - last_.h).lpNorm<1>();
    const double after = (between_.g - now_.g).lpNorm<1>() + (between_.h - now_.h).lpNorm<1>();
    (before < after ? low : high) = middle;
  }
}

bool SystemWatch::has_jumped() const {
  if (!last_.is_large && !now_.is_large) return false;
  const auto jumps = [](const VectorXd& a, const VectorXd& b) {
    return ((b - a).array().abs() > 0.5 * a.array().abs().max(b.array().abs())).any();
  };
  return jumps(last_.g, now_.g) || jumps(last_.h, now_.h);
}

// Adds what was missed between two looks.
bool SystemWatch::add_interval(const Way& way, double from, double to, const Tell& tell) {
  if (!last_.found && !now_.found) return true;
  double low = from, high = to;
  if (has_jumped() && jumps_left_ > 0) {
    --jumps_left_;
    find_jump(way, low, high);
  }
  const double h = way.to.time - way.from.time, at = 0.5 * (low + high);
  const double before = h * (at - from), after = h * (to - at), lead = way.rest + h * (1 - 0.5 * (from + to));
  impulse_ += before * last_.g + after * now_.g;
  lead_ += lead * (before * last_.g + after * now_.g);
  missed_z_ += before * last_.h + after * now_.h;
  found_ = true;
  return tell({MissedImpulse::kSoFar, way.offset + h * low, impulse_, missed_z_});
}

bool SystemWatch::look_at_half(const Way& way, const Tell& tell) {
  const double looks = std::ceil((way.to.time - way.from.time) / resolution_ * (1 - 1e-9));
  difference(systems_->model(), way.to.q, way.from.q, dq_);
  const double place = drawn(way.from.time);
  last_.found = last_.is_large = false;
  last_.g.setZero(systems_->model().nv);
  last_.h.setZero(systems_->nz());
  jumps_left_ = kMostJumps;
  double at = 0;
  const auto look = [&](double s) {
    find_missed(way, s, now_);
    const bool goes_on = add_interval(way, at, s, tell);
    std::swap(last_, now_);
    at = s;
    return goes_on;
  };
  for (double i = 0; looks > 1 && i < looks; ++i)
    if (!look((i + place) / looks)) return false;
  return look(1);
}

void SystemWatch::compare_halves() {
  for (size_t index : watched_) {
    Memory& m = memory_[index];
    m.common.g = m.halves[0].curve.g.binaryExpr(m.halves[1].curve.g, &common_part);
    m.common.h = m.halves[0].curve.h.binaryExpr(m.halves[1].curve.h, &common_part);
  }
}

// A step as one half: what is smooth has come to a quarter or half of its curve by the middle.
void SystemWatch::compare_with_middle(const State& start, const State& end) {
  difference(systems_->model(), end.q, start.q, dq_);
  go_between(systems_->model(), start, end, dq_, 0.5, tangent_, moved_);
  for (size_t index : watched_) {
    Memory& m = memory_[index];
    ask(index, moved_, m.now);
    const Half& own = m.halves[0];
    m.common.g = (m.now.g - own.start.g - 0.5 * own.slope.g).binaryExpr(own.curve.g, &smooth_part);
    m.common.h = (m.now.h - own.start.h - 0.5 * own.slope.h).binaryExpr(own.curve.h, &smooth_part);
  }
}

// Of the middle: what the end of the first half has beyond what was to be expected there.
void SystemWatch::tell_all(const Way& first, const Tell& tell) {
  if (!found_ || !tell({MissedImpulse::kLead, 0, lead_, missed_z_}) || first.rest == 0) return;
  find_missed(first, 1, now_);
  if (now_.found) tell({MissedImpulse::kMiddle, 0, now_.g, now_.h});
}

void SystemWatch::look(const State& start, const std::vector<SystemTerms>& terms, const State* middle,
                       const std::vector<SystemTerms>* middle_terms, const State& end, const Tell& tell) {
  if (!is_awake()) return;
  moved_ = start;
  for (size_t index : watched_) {
    Half(&halves)[2] = memory_[index].halves;
    halves[0].start.g = terms[index].g;
    halves[0].start.h = terms[index].h;
    if (!middle) continue;
    halves[1].start.g = (*middle_terms)[index].g;
    halves[1].start.h = (*middle_terms)[index].h;
  }
  begin_half(0, start, middle ? *middle : end, terms);
  if (middle) {
    begin_half(1, *middle, end, *middle_terms);
    compare_halves();
  } else {
    compare_with_middle(start, end);
  }
  found_ = false;
  impulse_.setZero(systems_->model().nv);
  lead_.setZero(systems_->model().nv);
  missed_z_.setZero(systems_->nz());
  const double rest = middle ? end.time - middle->time : 0;
  const Way first{0, start, middle ? *middle : end, 0, rest};
  if (!look_at_half(first, tell)) return;
  if (middle && !look_at_half({1, *middle, end, middle->time - start.time, 0}, tell)) return;
  tell_all(first, tell);
}

}  // namespace stickslip
