#include "stickslip/control/keep_energy.h"

#include <algorithm>
#include <cmath>

#include "stickslip/dynamics/energy.h"

namespace stickslip {
namespace {

// The trees that nothing of the model drives, damps or carries.
std::vector<char> conservative_trees(const Model& model) {
  std::vector<char> trees(model.trees.size(), 1);
  const auto tree_of = [&](int v) {
    const auto holds = [&](const Link& link) {
      return link.tree >= 0 && v >= link.v_start && v < link.v_start + velocity_count(link.kind);
    };
    return std::find_if(model.links.begin(), model.links.end(), holds)->tree;
  };
  for (const Link& link : model.links) {
    if (link.tree < 0) continue;
    const bool is_carried = model.links[link.parent].tree < 0 && link.parent != 0;
    if (link.damping != 0 || is_carried) trees[link.tree] = 0;
  }
  for (const TendonInfo& tendon : model.tendons) {
    if (tendon.stiffness == 0 && tendon.damping == 0) continue;
    for (const TendonInfo::Term& term : tendon.terms) trees[tree_of(term.v)] = 0;
  }
  for (const BodyInfo& body : model.bodies) {
    const int tree = model.links[body.link].tree;
    if (tree >= 0 && body.gravity_scale != 1) trees[tree] = 0;  // tree_energy() does not know of it
  }
  return trees;
}

// s - 1 for a quantity that is `low`, `middle` and `high` above what is wanted at -1/2, 0 and 1/2.
double root_nearest_zero(double low, double middle, double high) {
  const double slope = high - low, curvature = 2 * (low + high - 2 * middle);
  const double discriminant = slope * slope - 4 * curvature * middle;
  if (discriminant >= 0) {
    const double divisor = slope + std::copysign(std::sqrt(discriminant), slope);
    const double root = divisor != 0 ? -2 * middle / divisor : 0;
    if (std::abs(root) <= 0.5) return root;
  }
  if (!(middle > 0)) return 0;  // loses by all of them
  return low < std::min(middle, high) ? -0.5 : high < middle ? 0.5 : 0;
}

}  // namespace

EnergyKeeper::EnergyKeeper(const Model& model)
    : model_(model), extrapolation_(model), is_conservative_(conservative_trees(model)) {}

bool EnergyKeeper::find_islands(const std::array<const std::vector<TreeActivity>*, 3>& activity,
                                const std::vector<double>& share) {
  const std::vector<TreeActivity>& full = *activity[0];
  is_kept_.assign(full.size(), 1);  // as many as there are trees at most
  for (size_t i = 0; i < full.size(); ++i) {
    if (full[i].island < 0) continue;
    bool is_driven = !is_conservative_[i] || share[i] == 0;
    for (const std::vector<TreeActivity>* solve : activity) is_driven = is_driven || (*solve)[i].is_driven;
    if (is_driven) is_kept_[full[i].island] = 0;
  }
  island_.assign(full.size(), -1);
  bool has_any = false;
  for (size_t i = 0; i < full.size(); ++i) {
    if (full[i].island < 0 || !is_kept_[full[i].island]) continue;
    island_[i] = full[i].island;
    has_any = true;
  }
  return has_any;
}

void EnergyKeeper::measure(const State& state, std::vector<double>& energy) {
  compute_poses(model_, state, kinematics_);
  compute_velocities(model_, state, kinematics_);
  energy.assign(model_.trees.size(), 0.0);
  for (size_t i = 0; i < island_.size(); ++i)
    if (island_[i] >= 0) energy[island_[i]] += tree_energy(model_, state, kinematics_, static_cast<int>(i));
}

void EnergyKeeper::choose_shares(const State& start, const State& half, const State& full,
                                 const std::array<const std::vector<TreeActivity>*, 3>& activity,
                                 std::vector<double>& share) {
  if (!find_islands(activity, share)) return;
  measure(start, before_);
  for (int k = 0; k < 3; ++k) {
    trial_share_.assign(share.size(), 0.0);
    for (size_t i = 0; i < share.size(); ++i)
      if (island_[i] >= 0) trial_share_[i] = 0.5 * (k + 1);
    trial_ = half;
    extrapolation_.apply(half, full, trial_share_, trial_);
    measure(trial_, energy_[k]);
  }
  for (size_t i = 0; i < share.size(); ++i) {
    const int island = island_[i];
    if (island < 0) continue;
    const double before = before_[island];
    share[i] =
        1 + root_nearest_zero(energy_[0][island] - before, energy_[1][island] - before, energy_[2][island] - before);
  }
}

}  // namespace stickslip
