#include "stickslip/control/step_doubling.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "stickslip/icf/grips.h"
#include "stickslip/step/free_flight.h"

namespace stickslip {

StepDoubling::StepDoubling(const Model& model, std::unique_ptr<ConvexMethod> method, ErrorNorm norm,
                           const DoublingOptions& options)
    : model_(model),
      method_(std::move(method)),
      norm_(std::move(norm)),
      options_(options),
      extrapolation_(model),
      energy_keeper_(model),
      energy_guard_(model, options.accuracy),
      start_(method_->make_prepared()),
      middle_(method_->make_prepared()),
      surprise_finder_(model, norm_) {}

Status StepDoubling::prepare(const State& start, double h_max) {
  start_state_ = start;
  return method_->prepare(start, h_max, *start_);
}

namespace {

// How much too large an error has to look before the second half step for the attempt to be given up. It is known but
// for what that half step's velocity differs from the full step's.
constexpr double kHopeless = 2;

}  // namespace

// Whether the attempt is known to fail after the first two of its solves: it cannot be trusted, or positions will be
// too far apart. Where the second half step ends with about the velocity of the full one,
//
//   q_half - q_full = h/2 (v_mid + v_half) - h v_full ~ h/2 (v_mid - v_full)
//
// Where velocities count too it is they who decide, and how far the ends' velocities are apart is not known yet.
bool StepDoubling::is_hopeless(double h, Attempt& attempt) const {
  if (!options_.gives_up) return false;
  if (trusted_ < h) return true;
  if (norm_.rough_horizon > 0) return false;
  for (const Link& link : model_.links) {
    if (link.tree < 0) continue;
    const bool touched = full_activity_[link.tree].is_acted_on || first_activity_[link.tree].is_acted_on;
    if (!touched && options_.free_flight && can_fly(model_, link.tree)) continue;
    for (int i = link.v_start; i < link.v_start + velocity_count(link.kind); ++i) {
      const double error = 0.5 * h * norm_.weights[i] * std::abs(middle_state_.v[i] - full_.v[i]);
      if (error > attempt.error.value) attempt.error = {error, i};
    }
  }
  return attempt.error.value > kHopeless * options_.accuracy;
}

// Warm starts: CENIC VI-A
Status StepDoubling::solve(double h, State& half, Attempt& attempt) {
  trusted_ = kInfinity;
  const auto check = [&](double factor) { trusted_ = std::min(trusted_, factor * method_->trusted_step()); };
  Status status = method_->advance(*start_, h, full_);
  if (!status.ok()) return status;
  full_work_ = method_->work();
  method_->read_activity(full_activity_);
  method_->read_contact_forces(full_forces_);
  attempt.before_hit = method_->time_before_hit();
  check(1);
  attempt.is_given_up = options_.gives_up && trusted_ < h;
  if (attempt.is_given_up) return {};
  guess_ = 0.5 * (start_state_.v + method_->solved_velocity());
  full_guess_ = 0.5 * (method_->solved_velocity() + full_.v);  // bodies turn half-way there before the second half
  status = method_->advance(*start_, 0.5 * h, guess_, middle_state_);
  if (!status.ok()) return status;
  work_ = method_->work();
  method_->read_contact_forces(first_forces_);
  method_->read_activity(first_activity_);
  check(2);
  attempt.is_given_up = is_hopeless(h, attempt);
  if (attempt.is_given_up) return {};
  status = method_->prepare(middle_state_, 0.5 * h, *middle_);
  if (status.ok()) status = method_->advance(*middle_, 0.5 * h, full_guess_, half);
  if (!status.ok()) return status;
  work_ += method_->work();
  method_->read_activity(second_activity_);
  check(2);
  return {};
}

// Which trees fly, and which islands of the full step the three solves agree on. A contact between two islands that
// only a half step saw disagrees with both.
void StepDoubling::classify_trees(double h, State& next) {
  const size_t trees = model_.trees.size();
  errors_.assign(trees, TreeError::kRough);
  agrees_.assign(trees, 1);
  is_extrapolated_.assign(trees, 0);
  for (size_t i = 0; i < trees; ++i) {
    const TreeActivity &full = full_activity_[i], &first = first_activity_[i], &second = second_activity_[i];
    const bool is_hit = second.is_hit;
    if (full.island >= 0 && (is_hit || full.modes != first.modes || full.modes != second.modes))
      agrees_[full.island] = 0;
  }
  for (size_t i = 0; i < trees; ++i) {
    if (full_activity_[i].island < 0) continue;
    const bool touched =
        full_activity_[i].is_acted_on || first_activity_[i].is_acted_on || second_activity_[i].is_acted_on;
    if (!touched && flies(static_cast<int>(i), h, next)) {
      errors_[i] = TreeError::kNone;
    } else {
      is_extrapolated_[i] = options_.extrapolate && agrees_[full_activity_[i].island];
      // Velocities that others impose lag by half a step in each solve; extrapolated, they do not.
      if (is_extrapolated_[i]) errors_[i] = full_activity_[i].is_carried ? TreeError::kConstrained : TreeError::kSmooth;
      if (full_activity_[i].is_constrained) errors_[i] = TreeError::kConstrained;
    }
  }
}

bool StepDoubling::flies(int tree, double h, State& next) {
  return options_.free_flight && can_fly(model_, tree) &&
         fly(model_, tree, start_state_, method_->explicit_force(*start_), h, options_.accuracy, next);
}

bool StepDoubling::attempt_cheaply(double h, State& next, Attempt& attempt, Status& status) {
  has_halves_ = false;
  status = method_->advance(*start_, h, full_);
  if (!status.ok()) return true;
  if (full_.z != start_state_.z) return false;  // nothing is known of how fast rates of external states change
  method_->read_activity(full_activity_);
  next = full_;
  attempt = {.longest = method_->trusted_step(), .work = method_->work(), .overlap = method_->deepest_overlap(*start_)};
  for (const Link& link : model_.links) {
    if (link.tree < 0 || full_activity_[link.tree].island < 0) continue;
    if (!full_activity_[link.tree].is_acted_on && flies(link.tree, h, next)) continue;
    for (int i = link.v_start; i < link.v_start + velocity_count(link.kind); ++i) {
      const double error = 0.25 * h * norm_.weights[i] * std::abs(full_.v[i] - start_state_.v[i]);
      if (!(error <= attempt.error.value)) attempt.error = {error, i};
    }
  }
  attempt.work.balance();
  return true;
}

EnergyGain StepDoubling::measure_gain(double h, const State& next, const StepWork& work) {
  energy_guard_.forget_islands();
  energy_guard_.join(full_activity_);
  if (has_halves_) {
    energy_guard_.join(first_activity_);
    energy_guard_.join(second_activity_);
  }
  return energy_guard_.measure(h, next, work);
}

Surprise StepDoubling::look_for_surprises(double h, State& next, double allowed) {
  surprise_finder_.begin_step();
  surprise_finder_.note_activity(full_activity_);
  if (!has_halves_) return surprise_finder_.find(*method_, {.start = start_.get(), .h = h}, allowed, next);
  surprise_finder_.note_activity(first_activity_);
  surprise_finder_.note_activity(second_activity_);
  return surprise_finder_.find(*method_, {start_.get(), middle_.get(), &is_extrapolated_, is_extrapolated_z_, h},
                               allowed, next);
}

void StepDoubling::extrapolate(State& next) {
  share_.assign(is_extrapolated_.begin(), is_extrapolated_.end());
  energy_keeper_.choose_shares(start_state_, half_, full_, {&full_activity_, &first_activity_, &second_activity_},
                               share_);
  extrapolation_.apply(half_, full_, share_, next);  // flying bodies have their place already
}

namespace {

// Of a force that pushes along the normal: tangential over normal part; 0 of one that does not.
double steepness(const Vector3d& force, const Vector3d& normal) {
  const double push = force.dot(normal);
  return push > 0 ? (force - push * normal).norm() / push : 0;
}

// The order of a ContactSet, whose bodies ascend, and within two bodies geometries.
bool comes_before(const ContactResult& x, const ContactResult& y) {
  return std::tie(x.body_a, x.body_b, x.geometry_a, x.geometry_b) <
         std::tie(y.body_a, y.body_b, y.geometry_a, y.geometry_b);
}

void keep_in_cone(const Vector3d& normal, double steepest, Vector3d& force) {
  const double push = std::max(0.0, force.dot(normal));
  const Vector3d across = force - force.dot(normal) * normal;
  const double most = steepest * push, size = across.norm();
  force = push * normal + (size > most ? most / size : 1.0) * across;
}

}  // namespace

// The last solve knows the forces of its own half. Bodies swing about where extrapolation puts them at each start, so
// that one half alone would be off by stiffness times what extrapolation corrects. The mean over the step is that of
// both halves, (first + second)/2, or extrapolated as velocities are, first + second - full.
//
// Friction that is a function of velocity is not linear: its extrapolated forces stay as steep as the steepest of those
// they are made of. Springs that hold are.
void StepDoubling::read_contacts(std::vector<ContactResult>& contacts) {
  method_->read_contacts(contacts);
  if (!has_halves_) return;
  steepest_.clear();
  for (const ContactResult& contact : contacts) steepest_.push_back(steepness(contact.force, contact.normal));
  const auto is_extrapolated = [&](const ContactResult& contact) {
    const int a = model_.links[model_.bodies[contact.body_a].link].tree;
    const int b = model_.links[model_.bodies[contact.body_b].link].tree;
    return (a >= 0 && is_extrapolated_[a] != 0) || (b >= 0 && is_extrapolated_[b] != 0);
  };
  for (ContactResult& contact : contacts)
    if (!is_extrapolated(contact)) contact.force *= 0.5;
  const auto at_middle = static_cast<std::ptrdiff_t>(contacts.size());
  method_->locate_contacts(*start_, start_contacts_);
  for (size_t i = 0; i < start_contacts_.size(); ++i) {
    ContactResult& own = start_contacts_[i];
    own.force = is_extrapolated(own) ? Vector3d(first_forces_[i] - full_forces_[i]) : Vector3d(0.5 * first_forces_[i]);
    const auto [begin, end] = std::equal_range(contacts.begin(), contacts.begin() + at_middle, own, comes_before);
    const auto same = std::find_if(begin, end, [&](const ContactResult& x) { return x.feature == own.feature; });
    if (same != end) {
      same->force += own.force;
      double& steepest = steepest_[static_cast<size_t>(same - contacts.begin())];
      for (const Vector3d& force : {first_forces_[i], full_forces_[i]})
        steepest = std::max(steepest, steepness(force, own.normal));
    } else if (!own.force.isZero(0)) {
      contacts.push_back(own);
    }
  }
  const bool has_springs = !full_.grips.empty();
  for (size_t i = 0; i < steepest_.size() && !has_springs; ++i)
    if (is_extrapolated(contacts[i])) keep_in_cone(contacts[i].normal, steepest_[i], contacts[i].force);
}

Status StepDoubling::attempt(double h, State& next, Attempt& attempt) {
  has_halves_ = true;
  Status status = solve(h, half_, attempt);
  attempt.longest = trusted_;
  if (!status.ok() || attempt.is_given_up) return status;
  next = half_;
  next.time = start_state_.time + h;
  classify_trees(h, next);
  attempt.error = measure(model_, norm_, half_, full_, errors_, difference_);
  attempt.overlap = std::max(method_->deepest_overlap(*start_), method_->deepest_overlap(*middle_));
  attempt.work = work_;
  // Work is a sum over islands; it is as good as the worst of them.
  const bool all_agree = std::all_of(agrees_.begin(), agrees_.end(), [](char agrees) { return agrees != 0; });
  if (options_.extrapolate && all_agree) attempt.work.extrapolate_from(full_work_);
  attempt.work.balance();
  if (options_.extrapolate) {
    extrapolate(next);
    if (!next.grips.empty())
      extrapolate_grips(model_, *method_->collision_model(), is_extrapolated_, full_.grips, next.grips);
  }
  // Nobody knows which islands a system's states depend on.
  is_extrapolated_z_ = options_.extrapolate && all_agree;
  if (is_extrapolated_z_) next.z = 2 * half_.z - full_.z;
  return status;
}

}  // namespace stickslip
