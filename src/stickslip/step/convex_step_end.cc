// What a step learns from where it ends: the gaps of constraints there, and the mean of the velocities on the way.

#include <algorithm>

#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/step/convex_step.h"

namespace stickslip {
namespace {

// So often the gaps are measured where a solve ends, and solved for again: ropes and pins are then of second order, and
// once is not enough where they turn fast.
constexpr int kGapSolves = 2;

// Of what a solve missed, for bodies that turn by an angle in the step: by radians they end anywhere, and the next
// solve would throw them elsewhere.
double trusted_part(double angle) {
  constexpr double kFar = 1.5;  // [rad]
  const double squared = angle * angle / (kFar * kFar);
  return 1 / (1 + squared * squared);
}

}  // namespace

// H stays what it was: the factor is used again, and the contacts hardly notice.
template <template <typename> class ContactLaw>
Status ConvexStep<ContactLaw>::solve_for_end(const Preparation& p) {
  if (!has_curved_gaps_ && !p.turns) return {};
  bias_ = p.equations.bias;
  missed_.assign(problem_.islands.size(), kInfinity);
  const int solves = has_curved_gaps_ ? kGapSolves : 1;
  for (int i = 0; i < solves; ++i) {
    begin_again(p);
    if (p.turns && i == 0) take_mean_bias(p);
    if (has_curved_gaps_) take_end_gaps(p, true);
    if (Status status = solve_again(p); !status.ok()) return status;
  }
  if (!has_curved_gaps_) return {};
  begin_again(p);
  take_end_gaps(p, false);
  return solve_again(p);
}

template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::begin_again(const Preparation& p) {
  last_r_ = problem_.r;
  last_v_ = v_;
  last_laws_ = std::get<2>(solver_.potentials).laws;
  solves_again_.assign(problem_.islands.size(), 0);
  end_ = p.state;
  end_.time += problem_.h;
  problem_builder_.node_terms().read_velocities(p.equations, problem_, v_, end_.v);
}

template <template <typename> class ContactLaw>
Status ConvexStep<ContactLaw>::solve_again(const Preparation& p) {
  islands_.clear();
  for (size_t i = 0; i < solves_again_.size(); ++i)
    if (solves_again_[i]) islands_.push_back(static_cast<int>(i));
  const auto solve = [&] {
    const SolveOutcome outcome = solver_.solve_again(problem_, newton_, islands_, v_, pool_.get());
    statistics_.solver.add(solver_.statistics);
    return outcome;
  };
  if (solve() == SolveOutcome::kConverged) return {};
  // What was solved before is a solution, too.
  problem_.r = last_r_;
  v_ = last_v_;
  std::get<2>(solver_.potentials).laws = last_laws_;
  const SolveOutcome outcome = solve();
  return outcome == SolveOutcome::kConverged ? Status() : failure(outcome, p.state);
}

// Coriolis forces of trees at the mean of the velocities at both ends, v_m, and the pose of the start: their work on
// v_m is then v_m' M' v_m/2, what the change of the mass matrix makes of the kinetic energy. Where motors and contacts
// give and take more than that, it is not worth its price, a tenth of a robot's step.
template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::take_mean_bias(const Preparation& p) {
  mean_ = p.state;
  mean_.v = 0.5 * (p.state.v + end_.v);
  mean_kinematics_ = p.equations.kinematics;
  compute_articulated_velocities(model_, mean_, mean_kinematics_);
  change_ = bias_;
  compute_articulated_bias(model_, mean_, mean_kinematics_, bias_, bias_workspace_);
  change_ -= bias_;
  force_ += change_;
  for (const int tree : model_.articulated_trees) {
    const int n = problem_builder_.node_of_tree(tree), island = problem_builder_.island_of_tree(tree);
    if (n < 0 || is_driven_[tree] || problem_.islands[island].patches.count > 0) continue;
    problem_builder_.node_terms().add_force(p.equations, change_, problem_.nodes[n], problem_.h, problem_);
    solves_again_[island] = 1;
  }
}

// What was predicted of the gaps is compared with where they are at the end of the last solve. Where a lever whips
// round within a step it need not get better from solve to solve: then the best one stands.
template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::take_end_gaps(const Preparation& p, bool may_improve) {
  const double h = problem_.h;
  move(p, h, end_);
  compute_poses(model_, end_, end_kinematics_);
  measure_gaps({model_, end_, end_kinematics_}, gaps_);
  std::vector<ClampLaw>& laws = std::get<2>(solver_.potentials).laws;
  if (best_laws_.size() < laws.size()) best_laws_.resize(laws.size());
  best_v_.resize(v_.size());
  for (size_t i = 0; i < problem_.islands.size(); ++i) {
    const Island& island = problem_.islands[i];
    next_laws_.clear();
    double missed = 0;
    for (int row = island.forces.first; row < island.forces.end(); ++row) {
      const ForceSpec& spec = p.rows.forces[problem_.force_rows[row].source];
      next_laws_.push_back(laws[row]);
      if (spec.gap_index < 0) continue;
      const double way = h * std::get<2>(solver_.potentials).velocity(row);
      ClampLaw exact = spec.law(h, gaps_[spec.gap_index] - spec.gap - way);
      const double change = exact.v_hat - laws[row].v_hat;
      missed += laws[row].c * change * change;
      exact.v_hat = laws[row].v_hat + trusted_part(h * spec.turning_rate) * change;
      next_laws_.back() = exact;
    }
    const auto own = [&](auto& x) { return x.begin() + island.forces.first; };
    const auto segment = [&](VectorXd& x) { return x.segment(island.start, island.size); };
    if (!(missed > 0)) continue;
    if (missed < missed_[i]) {
      missed_[i] = missed;
      std::copy_n(own(laws), island.forces.count, own(best_laws_));
      segment(best_v_) = segment(v_);
      if (!may_improve) continue;
      std::copy(next_laws_.begin(), next_laws_.end(), own(laws));
    } else {
      std::copy_n(own(best_laws_), island.forces.count, own(laws));
      segment(v_) = segment(best_v_);
    }
    solves_again_[i] = 1;
  }
}

template class ConvexStep<LaggedModel>;
template class ConvexStep<AnchoredModel>;
template class ConvexStep<SimilarModel>;
template class ConvexStep<SapModel>;

}  // namespace stickslip
