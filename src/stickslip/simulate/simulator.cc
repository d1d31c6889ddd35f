#include "stickslip/simulate/simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "stickslip/dynamics/energy.h"
#include "stickslip/simulate/check_input.h"
#include "stickslip/simulate/ignored.h"
#include "stickslip/simulate/query_cache.h"

namespace stickslip {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

const SimulatorOptions& checked(const SimulatorOptions& options, const Model& model) {
  const std::string complaint = check(options, model);
  if (!complaint.empty()) throw std::invalid_argument(complaint);
  return options;
}

// Sets a flag for as long as it lives.
class StepMark {
 public:
  explicit StepMark(bool& flag) : flag_(flag) { flag_ = true; }
  ~StepMark() { flag_ = false; }
  StepMark(const StepMark&) = delete;
  StepMark& operator=(const StepMark&) = delete;

 private:
  bool& flag_;
};

// NaN equals itself.
bool same_bits(const VectorXd& a, const VectorXd& b) {
  if (a.size() != b.size()) return false;
  return a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * sizeof(double)) == 0;
}

}  // namespace

Simulator::Simulator(std::shared_ptr<const Model> model, const SimulatorOptions& options)
    : model_(std::move(model)),
      options_(checked(options, *model_)),
      method_name_(chosen_method(options, *model_)),
      stepper_(make_stepper(stepper_options(options, *model_), *model_)),
      memory_(std::make_shared<Memory>()),
      state_(memory_->state),
      defects_(*model_, stepper_->method().collision_model().get()),
      energy_watch_(*model_, method_name_ != "cenic-paper"),
      power_meter_(*model_),
      cache_(std::make_unique<QueryCache>()) {
  state_ = initial_state(*model_);
  report_.method = method_name_;
  report_.choice = step_choice(options_, *model_);
  cache_->collision = stepper_->method().collision_model();
  has_contact_ = cache_->collision != nullptr;
  if (has_contact_) report_.warnings = cache_->collision->warnings;
  if (!has_contact_) report_.warnings = ignored_by_smooth_methods(*model_, method_name_);
  set_systems(std::make_shared<const SystemList>(*model_));
  restart_audit();
}

Simulator::Simulator(Model model, const SimulatorOptions& options)
    : Simulator(std::make_shared<const Model>(std::move(model)), options) {}

Simulator::Simulator(const Simulator& other) : Simulator(other.model_, other.options_) {
  const Reading hold(other.in_use_, "copy it");
  state_ = other.state_;
  next_ = other.is_within_step_ ? other.begin_ : other.next_;
  report_ = other.report_;
  step_sizes_ = other.step_sizes_;
  hold_tally_ = other.hold_tally_;
  defects_ = other.defects_;
  energy_watch_.copy(other.energy_watch_);
  power_meter_ = other.power_meter_;
  work_ = other.work_;
  start_elastic_ = other.start_elastic_;
  cache_->collision = other.cache_->collision;
  set_systems(std::make_shared<const SystemList>(*other.systems_));
}

Simulator::~Simulator() {
  const auto observers = std::exchange(observers_, {});  // they may forget themselves
  for (const auto& observer : observers) observer->on_end(*this);
}

void Simulator::observe(std::shared_ptr<StepObserver> observer) {
  const Changing hold(in_use_, "record or show it");
  observers_.push_back(std::move(observer));
}

void Simulator::forget(const StepObserver& observer) {
  const Changing hold(in_use_, "forget an observer");
  std::erase_if(observers_, [&](const auto& other) { return other.get() == &observer; });
}

Status Simulator::tell_observers(double target, const StepRecord& record) {
  Status status;
  for (const auto& observer : observers_) {
    const Status told = observer->on_step(*this, {next_, target, record});
    if (status.ok()) status = told;
  }
  return status;
}

// Users may write to the state between steps: what that does to the energy is theirs, not the method's.
Simulator::Energy Simulator::written_energy() const {
  if (is_within_step_) return {};  // counted when the step began
  if (next_.q == state_.q && next_.v == state_.v) return {};
  const Energy before = energy_of(next_), after = energy_of(state_);
  return {after.mechanical - before.mechanical,
          {after.elastic.normal - before.elastic.normal, after.elastic.tangential - before.elastic.tangential}};
}

void Simulator::move_written_grips() {
  if (state_.grips.empty() || next_.q == state_.q) return;
  compute_poses(*model_, next_, cache_->before_write);
  compute_poses(*model_, state_, cache_->after_write);
  move_grips(collision_model(), cache_->before_write, cache_->after_write, state_.grips);
}

void Simulator::count(const StepStatistics& step) {
  report_.newton_iterations += step.solver.newton_iterations;
  report_.factorizations += step.solver.factorizations;
  report_.line_search_iterations += step.solver.line_search_iterations;
  report_.gradient_iterations += step.solver.gradient_iterations;
  report_.local_iterations += step.solver.local_iterations;
  report_.slowest_island_iterations += step.solver.slowest_island_iterations;
  report_.condition = step.solver.condition;
  report_.residual = step.solver.residual;
  report_.geometry_queries += step.geometry_queries;
  StageSeconds& seconds = report_.seconds;
  seconds.geometry += step.geometry_seconds;
  seconds.dynamics += step.dynamics_seconds;
  seconds.setup += step.setup_seconds;
  seconds.assembly += step.solver.assembly_seconds;
  seconds.factorization += step.solver.factorization_seconds;
  seconds.line_search += step.solver.line_search_seconds;
}

// What is written while a step is under way, by a function that the step calls or by another thread, would be lost.
// Inputs are not: no step writes them.
void Simulator::refuse_writes(const VectorXd& z) {
  const char* written = nullptr;
  if (state_.time != begin_.time) written = "the time";
  if (!same_bits(state_.q, begin_.q)) written = "q";
  if (!same_bits(state_.v, begin_.v)) written = "v";
  if (!same_bits(state_.z, z)) written = "z";
  if (!written) return;
  throw SimulatorBusy(
      fmt::format("{} of the state was written during a step, which was not taken; write it between steps, from the "
                  "thread that steps",
                  written));
}

// Ticks come first, so that what a controller writes to the inputs at one acts in the step that begins there.
Status Simulator::sample_systems() {
  unsampled_z_ = begin_.z;
  if (!sampler_->sample(begin_)) return {};
  refuse_writes(unsampled_z_);
  begin_.ctrl = state_.ctrl;
  begin_.mocap = state_.mocap;
  state_.z = begin_.z;
  return check_input(*model_, begin_, state_);
}

Status Simulator::attempt_from_begin(double end, StepRecord& record) {
  if (!systems_->empty()) {
    if (Status bad = sample_systems(); !bad.ok()) return bad;
    if (RepeatCheck::is_due(report_.steps)) repeats_->look(begin_);
  }
  if (!has_contact_) power_meter_.start_step(*model_, begin_);
  if (Status bad = stepper_->step(begin_, end, next_, record); !bad.ok()) {
    energy_watch_.explain(begin_, record, bad);
    return bad;
  }
  if (record.h == end - begin_.time) next_.time = end;  // a step that reaches the end does so exactly
  if (Status bad = check_result(*model_, begin_, next_); !bad.ok()) {
    energy_watch_.explain(begin_, record, bad);
    return bad;
  }
  if (!has_contact_) record.work.actuators = power_meter_.end_step(*model_, next_, record.h);
  return energy_watch_.look(begin_, record, next_);
}

// A user's controller may throw: then the state stays where it is, and what the attempt overwrote is forgotten.
Status Simulator::attempt(double end, StepRecord& record) {
  begin_ = state_;
  const StepMark mark(is_within_step_);
  try {
    const Status status = attempt_from_begin(end, record);
    refuse_writes(begin_.z);
    return status;
  } catch (...) {
    state_.time = begin_.time;
    state_.q = begin_.q;
    state_.v = begin_.v;
    state_.z = begin_.z;
    cache_->forget_results();
    next_ = state_;
    throw;
  }
}

// Its numbers are copied, not swapped: users hold views into the state's memory. The inputs stay as they are.
void Simulator::accept(const StepRecord& record) {
  work_ += record.work;
  state_.time = next_.time;
  state_.q = next_.q;
  state_.v = next_.v;
  state_.z = next_.z;
  state_.step_size = next_.step_size;
  state_.grips = next_.grips;
  state_.energy = next_.energy;
  last_step_ = record.h;
  step_sizes_.add(record.h);
  report_.max_penetration = std::max(report_.max_penetration, record.overlap);
  report_.history.add({state_.time - record.h, record.h, record.error});
  ++report_.steps;
  hold_tally_.count(record, model_->nv);
  if (has_contact_) defects_.look(*model_, *cache_->collision, state_, record.overlap, cache_->contacts);
  cache_->results_read = false;
}

// Not beyond `end`, nor beyond the next tick of an external system.
Status Simulator::take_step(double end) {
  if (Status bad = check_input(*model_, state_, next_); !bad.ok()) {
    ++report_.rejected;
    return report_.status = bad;
  }
  const double target = end;
  end = std::min(end, systems_->next_tick(state_.time));
  move_written_grips();
  std::erase_if(observers_, [](const auto& observer) { return observer->is_done(); });
  for (const auto& observer : observers_) observer->before_step(*this);
  const Energy written = written_energy();
  report_.energy.start += written.total();
  start_elastic_ += written.elastic.total();
  if (next_.q != state_.q) defects_.restart(*model_, state_);  // a gap that the user made has time to close
  const Clock::time_point start = Clock::now();
  if (!systems_->empty()) read_results();  // while they are there: controllers may ask
  StepRecord record;
  Status status = attempt(end, record);
  count(stepper_->method().take_statistics());
  report_.rejected += record.rejected;
  if (status.ok()) {
    accept(record);
  } else {
    cache_->forget_results();
    next_ = state_;  // a failed attempt is not something a user wrote
  }
  report_.seconds.total += seconds_since(start);
  if (status.ok() && !observers_.empty()) status = tell_observers(target, record);
  report_.status = status;
  return status;
}

Status Simulator::take_step_toward(double time, const std::function<bool()>& keep_going) {
  if (time < state_.time)
    throw std::invalid_argument(
        fmt::format("cannot advance to {} s: the simulation is at {} s already", time, state_.time));
  if (!std::isfinite(time))
    return report_.status = {StatusCode::kNotFinite, state_.time, "", fmt::format("cannot advance to time {}", time)};
  if (keep_going && !keep_going()) return report_.status = {StatusCode::kInterrupted, state_.time, "", interruption()};
  if (time == state_.time) return {};
  return take_step(time);
}

// Who stops a run that stands still wants to know why it does.
std::string Simulator::interruption() const {
  const std::string held = held_by();
  return held.empty() ? "stopped on request" : "stopped on request; " + held;
}

Status Simulator::step() {
  const Changing hold(in_use_, "take a step");
  return take_step(kInfinity);
}

Status Simulator::step_toward(double time, const std::function<bool()>& keep_going) {
  const Changing hold(in_use_, "take a step");
  return take_step_toward(time, keep_going);
}

Status Simulator::advance_to(double time, const std::function<bool()>& keep_going) {
  const Changing hold(in_use_, "advance");
  Status status;
  while (status.ok() && time != state_.time) status = take_step_toward(time, keep_going);
  for (const auto& observer : observers_) observer->on_pause(*this);
  return status;
}

void Simulator::set_state(const State& state) {
  const Changing hold(in_use_, "set its state");
  const auto same_size = [&](const VectorXd& given, const VectorXd& own, const char* name) {
    if (given.size() != own.size())
      throw std::invalid_argument(
          fmt::format("{} of the state has {} numbers, the model has {}", name, given.size(), own.size()));
  };
  same_size(state.q, state_.q, "q");
  same_size(state.v, state_.v, "v");
  same_size(state.ctrl, state_.ctrl, "ctrl");
  same_size(state.mocap, state_.mocap, "mocap");
  if (state.z.size() > 0) same_size(state.z, state_.z, "z");
  const auto known = [&](int geometry) {
    return geometry >= 0 && geometry < static_cast<int>(collision_model().geometries.size());
  };
  for (const Grip& grip : state.grips) {
    const auto numbers = to_numbers(grip);
    if (!known(grip.geometry_a) || !known(grip.geometry_b) ||
        !std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); }))
      throw std::invalid_argument("the state's memory of friction is not one of this model");
  }
  require_state(*model_, state);
  if (!(state.step_size >= 0) || !std::isfinite(state.step_size))
    throw std::invalid_argument(fmt::format("the step size of the state is {}, expected 0 or more", state.step_size));
  VectorXd z = std::move(state_.z);                          // its memory: users hold views
  z = state.z.size() > 0 ? state.z : systems_->initial_z();  // a state made without systems: they start afresh
  state_ = state;
  state_.z = std::move(z);
  restart_audit();
}

void Simulator::reset() {
  const Changing hold(in_use_, "reset it");
  VectorXd z = std::move(state_.z);
  z = systems_->initial_z();
  initial_state(*model_, state_);
  state_.z = std::move(z);
  defects_.forget();
  repeats_->forget();
  energy_watch_.forget();
  restart_audit();
}

void Simulator::set_systems(std::shared_ptr<const SystemList> systems) {
  systems_ = std::move(systems);
  stepper_->method().set_systems(systems_);
  power_meter_.set_systems(systems_);
  sampler_ = std::make_unique<SystemEvaluator>(systems_);
  repeats_ = std::make_unique<RepeatCheck>(systems_);
}

void Simulator::add(std::shared_ptr<const System> system) {
  const Changing hold(in_use_, "add a system");
  SystemList list = *systems_;
  list.add(std::move(system));
  VectorXd z = list.initial_z();
  z.head(state_.z.size()) = state_.z;
  memory_->outgrown_z.push_back(std::move(state_.z));
  state_.z = std::move(z);
  set_systems(std::make_shared<const SystemList>(std::move(list)));
}

void Simulator::hold_systems(const std::function<std::shared_ptr<const System>(const SystemEntry&)>& pointer_to) {
  const Changing hold(in_use_, "change its systems");
  SystemList list = *systems_;
  list.hold(pointer_to);
  set_systems(std::make_shared<const SystemList>(std::move(list)));
}

// Energies are compared with those at the last time the state was set as a whole.
void Simulator::restart_audit() {
  cache_->constraint_forces.resize(model_->nv);
  cache_->forget_results();
  next_ = state_;
  const Energy energy = energy_of(state_);
  report_.energy.start = energy.total();
  start_elastic_ = energy.elastic.total();
  defects_.restart(*model_, state_);
  energy_watch_.restart();
  work_ = {};
  power_meter_.restart();
}

void Simulator::audit_energy(EnergyAudit& audit) const {
  // What is written may be no state: then this is as of the last step.
  const bool good = is_state(*model_, state_);
  const Energy written = good ? written_energy() : Energy{}, end = energy_of(good ? state_ : next_);
  audit.start += written.total();
  audit.end = end.total();
  audit.gained = energy_watch_.gained();
  audit.elastic_normal = end.elastic.normal;
  audit.elastic_tangential = end.elastic.tangential;
  const double start_elastic = start_elastic_ + written.elastic.total();
  const bool measurable = model_->motions.empty() && model_->mocap0.size() == 0;
  if (!has_contact_) {
    audit.actuators = power_meter_.actuator_work();
    audit.damping = power_meter_.damping_work();
    if (measurable) audit.numerical_loss = audit.start + audit.actuators + audit.damping - audit.end;
    return;
  }
  audit.actuators = work_.actuators;
  audit.damping = work_.damping;
  audit.contact = work_.contact + end.elastic.total() - start_elastic;
  // What the equations of the steps say was done, less what became of it: measured without the three works above.
  if (measurable) audit.numerical_loss = work_.internal - (end.mechanical - (audit.start - start_elastic));
}

Report Simulator::report() const {
  const Reading hold(in_use_, "read its report");
  Report report = report_;
  report.time = state_.time;
  report.h_min = step_sizes_.min();
  report.h_median = step_sizes_.median();
  report.h_max = step_sizes_.max();
  audit_energy(report.energy);
  report.held_by = held_by();
  defects_.add_warnings(*model_, report.warnings);
  repeats_->add_warnings(report.warnings);
  energy_watch_.add_warning(report.warnings);
  StageSeconds& seconds = report.seconds;
  if (!has_contact_) seconds.dynamics = seconds.total;  // smooth methods do nothing else
  seconds.other = std::max(0.0, seconds.total - seconds.geometry - seconds.dynamics - seconds.setup - seconds.assembly -
                                    seconds.factorization - seconds.line_search);
  return report;
}

}  // namespace stickslip
