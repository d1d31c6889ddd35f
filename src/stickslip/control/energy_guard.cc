#include "stickslip/control/energy_guard.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stickslip {
namespace {

constexpr double kFreeShare = 0.1, kTreeShare = 0.01;
constexpr double kUsualStep = 0.01, kLeastShare = 0.1;  // [s], of what it allows
constexpr double kRoundOff = 1e-14;  // of the energies that are compared: sums over links, far from the origin, too

}  // namespace

EnergyGuard::EnergyGuard(const Model& model, double accuracy)
    : model_(model),
      accuracy_(accuracy),
      meter_(model),
      parent_(model.trees.size()),
      is_acted_on_(model.trees.size(), 0),
      groups_(model.trees.size()) {
  kinematics_.resize(model);
}

const std::vector<TreeEnergy>& EnergyGuard::begin(const Method& method, const Method::Prepared& start) {
  method.measure_energy(start, start_);
  return start_;
}

void EnergyGuard::forget_islands() {
  std::iota(parent_.begin(), parent_.end(), 0);
  std::fill(is_acted_on_.begin(), is_acted_on_.end(), 0);
}

int EnergyGuard::root(int tree) const {
  while (parent_[tree] != tree) tree = parent_[tree];
  return tree;
}

void EnergyGuard::unite(int a, int b) {
  const int x = root(a), y = root(b);
  parent_[std::max(x, y)] = std::min(x, y);
}

void EnergyGuard::join(const std::vector<TreeActivity>& activity) {
  tree_of_island_.assign(activity.size(), -1);
  for (size_t i = 0; i < activity.size(); ++i) {
    const int tree = static_cast<int>(i), island = activity[i].island;
    if (island < 0) continue;
    is_acted_on_[i] = is_acted_on_[i] != 0 || activity[i].is_acted_on || !model_.trees[i].is_free_body;
    int& first = tree_of_island_[island];
    if (first < 0)
      first = tree;
    else
      unite(first, tree);
  }
}

// What motors and systems give in a step is known to the order of the step, not to the digit that is allowed: a servo
// that swings would take twice the steps. They are left to the watch over the whole run.
EnergyGain EnergyGuard::measure(double h, const State& next, const StepWork& work) {
  if (work.by_systems || work.actuators != 0 || work.prescribed != 0) return {};
  bool is_articulated = false;
  for (size_t i = 0; i < parent_.size(); ++i)
    is_articulated = is_articulated || (is_acted_on_[i] && !model_.trees[i].is_free_body);
  if (is_articulated) {
    compute_articulated_poses(model_, next, kinematics_);
    compute_articulated_velocities(model_, next, kinematics_);
  }
  std::fill(groups_.begin(), groups_.end(), Group());
  for (size_t i = 0; i < parent_.size(); ++i) {
    if (!is_acted_on_[i]) continue;
    const int tree = static_cast<int>(i);
    Group& group = groups_[root(tree)];
    const TreeEnergy end = meter_.measure(tree, next, kinematics_);
    group.gained += end.total() - start_[i].most();
    group.in_play += start_[i].in_motion() + meter_.size(tree);
    group.round_off += kRoundOff * (end.kinetic + std::abs(end.potential));
    group.is_free = group.is_free && model_.trees[i].is_free_body;
    group.is_driven = group.is_driven || meter_.is_driven(tree);
  }
  EnergyGain worst;
  for (size_t i = 0; i < parent_.size(); ++i) {
    const Group& group = groups_[i];
    if (group.in_play == 0) continue;  // none of its own, or flies
    const double gained = group.gained - group.round_off;
    const double share = group.is_free ? kFreeShare : kTreeShare;
    const double allowed = share * accuracy_ * group.in_play * std::max(kLeastShare, h / kUsualStep);
    if (group.is_driven || !(gained > worst.over * allowed)) continue;
    worst = {gained / allowed, gained, group.in_play, static_cast<int>(i)};
  }
  return worst;
}

}  // namespace stickslip
