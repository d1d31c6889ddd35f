#include "stickslip/control/error_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stickslip/control/name_tree.h"

namespace stickslip {
namespace {

// The body that a degree of freedom moves; empty for the states of external systems.
std::string body_of(const Model& model, int v) {
  for (const JointInfo& joint : model.joints)
    if (v >= joint.v_start && v < joint.v_start + joint.nv) return model.bodies[joint.child].name;
  return "";
}

// Jumps of external systems are sought no finer than this [s].
constexpr double kSharpest = 1e-6;

// A hit is worth stepping to if it comes before this part of the step that was tried.
constexpr double kSooner = 0.95;

// How often a step is halved for the energy that comes from nothing in it; and after how many it is in vain if half of
// it still comes.
constexpr int kMostHalvings = 10, kHalvings = 4;
constexpr double kInVain = 0.5;

}  // namespace

double ErrorControl::wanted_step(const State& state) const {
  if (options_.is_fixed) return options_.max_step;
  const double wanted = state.step_size > 0 ? state.step_size : options_.initial * options_.max_step;
  return std::clamp(wanted, options_.min_step, options_.max_step);
}

// A step h that ended early (h < wanted) and was accurate enough for the wanted one leaves the memory alone.
double ErrorControl::remembered_step(double wanted, double h, double error) const {
  if (h < wanted) {
    const double ideal = error > 0 ? ideal_step(h, error, options_.accuracy, scheme_->order(), rule_) : kInfinity;
    if (ideal >= rule_.low * wanted) return wanted;
  }
  return std::min(next_step(h, error, options_.accuracy, scheme_->order(), rule_), options_.max_step);
}

Status ErrorControl::give_up(const State& state, double h, const Status& cause, const Attempt& attempt) const {
  if (!cause.ok()) {
    Status status = cause;
    status.message += fmt::format(" (steps down to {:.3g} s were tried)", h);
    return status;
  }
  if (attempt.error.value <= options_.accuracy) {
    return {
        StatusCode::kNotAccurate, state.time, "",
        fmt::format("no step of {:.3g} s can be trusted here: within it bodies may meet that were not looked at, or "
                    "an external system jumps; allow a shorter min_step, or look for extreme speeds",
                    h)};
  }
  const int worst = attempt.error.worst;
  const std::string body = worst >= 0 ? body_of(model_, worst) : "";
  const std::string who = worst >= 0 ? fmt::format("body '{}'", body) : fmt::format("external state {}", -1 - worst);
  return {StatusCode::kNotAccurate, state.time, body,
          fmt::format("{} cannot be kept accurate: even a step of {:.3g} s errs by {:.3g}, where {:.3g} is asked for; "
                      "look for forces that jump, loosen the accuracy, or allow a shorter min_step",
                      who, h, attempt.error.value, options_.accuracy)};
}

// The last refusal, if there was one; otherwise the accuracy, unless the next step may be much longer.
void ErrorControl::say_what_holds(double wanted, const State& next, const Attempt& attempt, StepRecord& record) const {
  constexpr double kGrows = 2;
  if (record.rejected > 0 || options_.is_fixed || record.h < wanted) return;
  if (next.step_size >= options_.max_step || next.step_size > kGrows * record.h) return;
  record.hold = StepHold::kAccuracy;
  record.worst = attempt.error.worst;
}

Surprise ErrorControl::look_for_surprises(double h, State& next, double allowed) {
  if (options_.is_fixed || h <= std::max(kSharpest, options_.min_step)) return {};
  return scheme_->look_for_surprises(h, next, allowed);
}

EnergyGain ErrorControl::measure_gain(double h, const State& next, const Attempt& attempt) {
  return options_.guards_energy ? scheme_->measure_gain(h, next, attempt.work) : EnergyGain();
}

// A gain that is less than the accuracy of what is in play, and does not shrink with the step, is none of the step's:
// it is taken. What adds up of it is watched elsewhere.
bool ErrorControl::is_tolerable(const EnergyRefusals& refusals, const EnergyGain& gain) const {
  return refusals.count > kHalvings && gain.gained > kInVain * refusals.first.gained &&
         refusals.first.gained <= options_.accuracy * refusals.first.in_play;
}

Status ErrorControl::stop_gaining(const State& state, double h, const EnergyGain& gain) const {
  const std::string& body = body_of_tree(model_, gain.tree);
  return {
      StatusCode::kGainedEnergy, state.time, body,
      fmt::format("body '{}' (and what it hangs on or touches){} gains energy from nothing: {:.3g} J even in a step of "
                  "{:.3g} s, "
                  "where {:.3g} J are in play; ask for more accuracy, or look for extreme forces, masses and speeds",
                  body, constraints_on(model_, gain.tree), gain.gained, h, gain.in_play)};
}

// A step that has to end long before it wants to needs no careful estimate. Errors of the first order add up, but to
// less than those of the steps that were wanted.
bool ErrorControl::take_short_step(double wanted, double h, State& next, StepRecord& record) {
  constexpr double kShort = 0.125, kNegligible = kShort * kShort;
  if (options_.is_fixed || h > kShort * wanted) return false;
  Attempt attempt;
  Status status;
  if (!scheme_->attempt_cheaply(h, next, attempt, status) || !status.ok()) return false;
  if (!(attempt.error.value <= kNegligible * options_.accuracy) || attempt.longest < h) return false;
  const Surprise surprise = look_for_surprises(h, next, kNegligible * options_.accuracy);
  if (surprise.quiet < h) return false;
  attempt.work.add_feed(surprise.work);
  if (measure_gain(h, next, attempt).over > 1) return false;
  record.h = h;
  record.error = attempt.error.value;
  record.work = attempt.work;
  record.overlap = attempt.overlap;
  next.step_size = wanted;
  return true;
}

Status ErrorControl::step(const State& state, double end, State& next, StepRecord& record) {
  record = {};
  const double wanted = wanted_step(state), remaining = end - state.time;
  double h = fitting_step(wanted, remaining);
  const double least = std::min(options_.min_step, h);
  Status status = scheme_->prepare(state, h);
  if (!status.ok()) return status;
  record.add_energy(scheme_->start_energy());
  EnergyRefusals refusals;
  if (take_short_step(wanted, h, next, record)) return status;
  while (true) {
    Attempt attempt;
    status = scheme_->attempt(h, next, attempt);
    bool met = status.ok() && !attempt.is_given_up && attempt.error.value <= options_.accuracy && attempt.longest >= h;
    const Surprise surprise = met ? look_for_surprises(h, next, options_.accuracy) : Surprise();
    met = met && surprise.quiet >= h;
    attempt.work.add_feed(surprise.work);
    const EnergyGain gain = met && !refusals.is_tolerated ? measure_gain(h, next, attempt) : EnergyGain();
    const bool gains = gain.over > 1;
    met = met && !gains;
    if (met || (status.ok() && options_.is_fixed)) {
      record.h = h;
      record.error = attempt.error.value;
      record.work = attempt.work;
      record.work.by_systems = attempt.work.by_systems && !options_.is_fixed;
      record.overlap = attempt.overlap;
      next.step_size = options_.is_fixed ? 0 : remembered_step(wanted, h, attempt.error.value);
      if (record.rejected > 0) next.step_size = std::min(next.step_size, h);  // no growth on the heels of a failure
      say_what_holds(wanted, next, attempt, record);
      return status;
    }
    if (options_.is_fixed) return status;
    ++record.rejected;
    record.hold = !status.ok()                                 ? StepHold::kSolver
                  : attempt.error.value > options_.accuracy    ? StepHold::kAccuracy
                  : gains                                      ? StepHold::kEnergy
                  : attempt.longest < h || attempt.is_given_up ? StepHold::kTrust
                                                               : StepHold::kSurprise;
    record.worst = attempt.error.worst;
    if (gains && refusals.count++ == 0) refusals.first = gain, refusals.first_h = h;
    if (gains && is_tolerable(refusals, gain)) {
      refusals.is_tolerated = true;
      h = refusals.first_h;
      continue;
    }
    if (gains && (h <= least || refusals.count > kMostHalvings)) {
      if (gain.gained > options_.accuracy * gain.in_play) return stop_gaining(state, h, gain);
      refusals.is_tolerated = true;
      continue;
    }
    if (h <= least) return give_up(state, h, status, attempt);
    const double error = status.ok() ? std::max(attempt.error.value, surprise.error) : kInfinity;
    double shorter = error <= options_.accuracy ? rule_.safety * h
                                                : shorter_step(h, error, options_.accuracy, scheme_->order(), rule_);
    // Up to where something is hit, or a system jumps, nothing happens: rather there than anywhere before.
    for (double before : {attempt.before_hit, surprise.quiet})
      if (before < kSooner * h) shorter = std::max(shorter, before);
    shorter = std::min({shorter, attempt.longest, gains ? 0.5 * h : h});
    h = fitting_step(std::max(shorter, std::max(least, rule_.shrinkage * h)), remaining);
  }
}

}  // namespace stickslip
