#include "stickslip/simulate/energy_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stickslip/control/name_tree.h"

namespace stickslip {
namespace {

constexpr double kWarned = 0.01, kStopped = 1;  // parts of what is in play
constexpr double kRoundOff = 4e-15;             // of the energies that are compared: some ten sums and products
// What everything would have at the speed at which rigid surfaces part, and at twice that at which gaps close [m/s]:
// that much is in play even where all is at rest, without gravity.
constexpr double kParting = 0.1, kClosing = 2;

double energy_of_closing(const Model& model) {
  double mass = 0;
  for (const Link& link : model.links)
    if (link.tree >= 0) mass += link.inertia.mass;
  const bool has_constraint = std::any_of(model.constraints.begin(), model.constraints.end(),
                                          [](const ConstraintInfo& x) { return x.description.active; });
  const double speed = has_constraint ? kClosing : kParting;
  return 0.5 * mass * speed * speed;
}

}  // namespace

EnergyWatch::EnergyWatch(const Model& model, bool stops) : model_(model), stops_(stops), meter_(model) {
  for (size_t i = 0; i < model.trees.size(); ++i) {
    const int tree = static_cast<int>(i);
    is_blind_ = is_blind_ || meter_.is_driven(tree);
    size_ += meter_.size(tree);
  }
  size_ += energy_of_closing(model);
  // Numbers between 1/2 and 3/2 without a pattern: the fractions of multiples of the golden ratio.
  const Eigen::Index most = std::max({Eigen::Index{model.nq}, Eigen::Index{model.nv}, model.mocap0.size()});
  weights_ =
      VectorXd::NullaryExpr(most, [](Eigen::Index i) { return 0.5 + std::fmod(0.6180339887498949 * (i + 1), 1.0); });
}

// One number that changes with anything that a user may write.
double EnergyWatch::mark_of(const State& state) const {
  return state.time + weights_.head(state.q.size()).dot(state.q) - 0.7 * weights_.head(state.v.size()).dot(state.v) +
         0.3 * weights_.head(state.mocap.size()).dot(state.mocap);
}

// What is known at the start of a step, now that its energy is.
EnergyMemory EnergyWatch::begin(const State& state, const StepRecord& record) {
  const TreeEnergy& energy = record.start_energy;
  EnergyMemory memory = state.energy;
  if (!memory.is_known || memory.mark != mark_of(state))
    return {.is_known = true, .in_play = energy.in_motion() + size_, .lowest = energy.potential};
  const double round_off = kRoundOff * (energy.kinetic + std::abs(energy.potential) + energy.elastic);
  double change = energy.total() - memory.expected;
  if (!std::isfinite(change)) change = 0;  // of masses whose energy is beyond all numbers
  // Overlaps may be found deeper than anything went: of corners that a mesh's surface turns round, of new contacts.
  const double doubtful = round_off + energy.elastic;
  memory.gained = std::max(0.0, memory.gained + (change > 0 ? std::max(0.0, change - doubtful) : change));
  memory.in_play += std::max(0.0, memory.lowest - energy.potential);
  memory.lowest = std::min(memory.lowest, energy.potential);
  return memory;
}

TreeEnergy EnergyWatch::measure(const State& state) {
  kinematics_.resize(model_);
  compute_articulated_poses(model_, state, kinematics_);
  compute_articulated_velocities(model_, state, kinematics_);
  TreeEnergy sum;
  for (size_t i = 0; i < model_.trees.size(); ++i) sum += meter_.measure(static_cast<int>(i), state, kinematics_);
  return sum;
}

int EnergyWatch::fastest_tree(const State& state) {
  measure(state);
  int fastest = -1;
  double most = 0;
  for (size_t i = 0; i < model_.trees.size(); ++i) {
    const double kinetic = meter_.measure(static_cast<int>(i), state, kinematics_).kinetic;
    if (kinetic > most) fastest = static_cast<int>(i);
    most = std::max(most, kinetic);
  }
  return fastest;
}

void EnergyWatch::keep_worst(const EnergyMemory& memory, const State& state) {
  most_ = std::max(most_, memory.gained);
  const Worst now{memory.gained, memory.in_play, state.time, state.time};
  if (!(now.ratio() > std::max(kWarned, worst_.ratio()))) return;
  const Worst before = worst_;
  worst_ = now;
  if (before.ratio() > kWarned) worst_.first = before.first;
  constexpr double kMuch = 1.5;  // who gained is looked for again when it is so much more
  worst_.tree = now.ratio() > kMuch * before.ratio() ? fastest_tree(state) : before.tree;
}

std::string EnergyWatch::sentence(const Worst& worst) const {
  const std::string who = worst.tree >= 0
                              ? fmt::format("; fastest is the tree of body '{}'{}", body_of_tree(model_, worst.tree),
                                            constraints_on(model_, worst.tree))
                              : "";
  return fmt::format("{:.3g} J came from nothing by t = {:.6g} s, where {:.3g} J were in play{}", worst.gained,
                     worst.time, worst.in_play, who);
}

Status EnergyWatch::stop(const Worst& worst, double time) const {
  return {StatusCode::kGainedEnergy, time, worst.tree >= 0 ? body_of_tree(model_, worst.tree) : "",
          fmt::format("{}; ask for more accuracy, or for a shorter time step", sentence(worst))};
}

Status EnergyWatch::look(const State& state, const StepRecord& record, State& next) {
  next.energy = {};
  if (is_blind_ || !record.has_energy) return {};
  EnergyMemory memory = begin(state, record);
  keep_worst(memory, state);
  const double fed = record.work.fed(), scale = memory.in_play + std::abs(fed);
  if (stops_ && memory.gained > kStopped * scale) return stop(worst_, state.time);
  memory.in_play = scale;
  if (record.work.by_systems) return {};  // what they did between looks is not known well enough
  memory.expected = record.start_energy.total() + record.start_energy.closing + fed;
  memory.mark = mark_of(next);
  next.energy = memory;
  // No step passes for good that may have gained more than all there is: by the masses of its start, or so fast that
  // those tell little.
  constexpr double kFar = 0.1;  // [rad] in a step
  const bool is_fast = record.h * next.v.lpNorm<Eigen::Infinity>() > kFar;
  if (!stops_ || !(is_fast || record.work.kinetic - fed > scale)) return {};
  const TreeEnergy end = measure(next);
  const double gained = memory.gained + end.total() - memory.expected;
  const double in_play = scale + std::max(0.0, memory.lowest - end.potential);
  if (!(gained > kStopped * in_play) || std::isinf(gained)) return {};
  most_ = std::max(most_, gained);
  const Worst worst{gained, in_play, next.time, worst_.ratio() > kWarned ? worst_.first : next.time,
                    fastest_tree(next)};
  if (worst.ratio() > worst_.ratio()) worst_ = worst;
  return stop(worst, state.time);
}

void EnergyWatch::explain(const State& state, const StepRecord& record, Status& status) {
  if (is_blind_) return;
  if (record.has_energy) keep_worst(begin(state, record), state);
  if (status.code == StatusCode::kGainedEnergy || !(worst_.ratio() > kWarned)) return;
  status.message +=
      fmt::format("; before that, from t = {:.6g} s on, energy came from nothing: {}", worst_.first, sentence(worst_));
}

void EnergyWatch::add_warning(std::vector<Warning>& warnings) const {
  if (!(worst_.ratio() > kWarned)) return;
  warnings.push_back(
      {"gained-energy", {}, fmt::format("{}; shorten the time step or ask for more accuracy", sentence(worst_))});
}

}  // namespace stickslip
