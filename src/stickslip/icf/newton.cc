#include "stickslip/icf/newton.h"

#include <cmath>
#include <limits>
#include <utility>

#include "stickslip/base/stopwatch.h"
#include "stickslip/contact/anchored_model.h"
#include "stickslip/contact/lagged_model.h"
#include "stickslip/contact/sap_model.h"
#include "stickslip/contact/similar_model.h"
#include "stickslip/icf/conjugate_gradients.h"
#include "stickslip/icf/island_norms.h"

namespace stickslip {
namespace {

// Momentum below that of this speed [m/s, rad/s] is not worth resolving, whatever moves: for bodies that nothing acts
// on.
constexpr double kNegligibleSpeed = 1e-6;

constexpr int kManyIterations = 25;    // the line search becomes exact
constexpr int kWantedIterations = 10;  // N: of a solve that reuses its factors
constexpr double kCostlyFactor = 2e3;  // operations of a factor that is worth using again: that of about four bodies
constexpr int kPlainIterations = 100;  // another way is tried
constexpr double kLooseSolution = 1e-2;
constexpr double kRoundOff = 1e-15;
constexpr double kStandstill = 0.5;      // of the last residual: a factor that is no progress
constexpr double kNoDigitsLeft = 1e-14;  // a change of v, relative to v, that is all round-off

// How far conjugate gradients reduce their residual: loosely while Newton's method is far from its end.
constexpr double kLooseForcing = 0.1, kTightForcing = 1e-3;
constexpr double kEnough = 0.5;  // of the tolerance: nothing is gained by more

// Nodes of an island that is worth taking apart, the part of its residual that may be left to the others, and how far
// below the tolerance, and twice as far below the error, its parts are solved.
constexpr int kLargeIsland = 100;
constexpr double kLocalRest = 0.1;
constexpr double kLocalGain = 0.1;

// How often friction is matched with the step's own normal impulses, how closely (in tolerances of the solver), and by
// what factor each time has to come closer.
constexpr int kMostLags = 4;
constexpr double kSettledLag = 10;
constexpr double kLeastContraction = 0.7;

template <template <typename> class ContactLaw>
class IslandSolver {
 public:
  IslandSolver(const Problem& problem, const Island& island, const NewtonOptions& options,
               Potentials<ContactLaw>& potentials, VectorXd& v, NewtonVectors& vectors,
               IslandWorkspace<ContactLaw>& workspace)
      : problem_(problem),
        island_(island),
        options_(options),
        potentials_(potentials),
        v_(v),
        vectors_(vectors),
        workspace_(workspace),
        hessian_(problem, island, potentials, vectors.inverse_diagonal, options.linear_solver, workspace.hessian) {}

  // A part of an island, to an error that is small beside the island's impulses.
  SolveOutcome solve_part(double scale, SolveStatistics& statistics) {
    is_part_ = true;
    least_scale_ = scale;
    return solve_anew(statistics);
  }

  SolveOutcome solve_anew(SolveStatistics& statistics) {
    hessian_.forget();
    return solve(statistics);
  }

  // The factor of the last solve is that of this one, but for contacts that changed their minds.
  SolveOutcome solve_again(SolveStatistics& statistics) {
    has_old_factor_ = hessian_.recall();
    return solve(statistics);
  }

 private:
  SolveOutcome solve(SolveStatistics& statistics) {
    if (island_.nodes.count == 1 && island_.has_no_potential()) return solve_alone();
    measure_scales();
    for_each_potential(potentials_, [&](auto& p) {
      p.set_velocity(problem_, island_, problem_.start.data());
      p.remember_start(island_);
    });
    if (segment(v_) != segment(problem_.start)) go_to(v_);  // else it is there already, with its momentum
    SolveOutcome outcome = solve_once(statistics);
    if constexpr (requires { std::get<0>(potentials_).relag(island_); }) {
      if (options_.consistent_friction && outcome == SolveOutcome::kConverged) outcome = settle_friction(statistics);
    }
    statistics.residual = residual();
    if (statistics.factorizations > 0 && hessian_.is_sparse()) statistics.condition = hessian_.condition_estimate();
    return outcome;
  }

  SolveOutcome solve_once(SolveStatistics& statistics) {
    SolveOutcome outcome = iterate(options_.tolerance, kPlainIterations, statistics);
    if (outcome == SolveOutcome::kTooManyIterations) outcome = iterate_by_stiffness(statistics);
    if (!has_gradient_) compute_gradient();  // the impulses of the solution
    return outcome;
  }

  // Everything that depends on v, at v.
  void go_to(const VectorXd& v) {
    segment(v_) = segment(v);
    for_each_potential(potentials_, [&](auto& p) { p.set_velocity(problem_, island_, v_.data()); });
    multiply_mass(problem_, island_, v_, vectors_.momentum);
  }

  // Friction with the normal impulse of the step itself instead of that of its start: the lag is iterated until it
  // changes no more. Where it does not contract (a body that jams) there may be no such solution: then the plain lag
  // stands, and error control decides.
  SolveOutcome settle_friction(SolveStatistics& statistics) {
    auto& contacts = std::get<0>(potentials_);
    contacts.remember_lag(island_);
    segment(vectors_.plain) = segment(v_);
    double last_change = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kMostLags; ++i) {
      const double change = contacts.relag(island_);
      if (change <= kSettledLag * options_.tolerance) break;
      if (change > kLeastContraction * last_change) {
        contacts.restore_lag(island_);
        go_to(vectors_.plain);
        return solve_once(statistics);
      }
      last_change = change;
      const SolveOutcome outcome = solve_once(statistics);
      if (outcome != SolveOutcome::kConverged) return outcome;
    }
    return SolveOutcome::kConverged;
  }

  // In the narrow, curved valleys of the stiffest contacts Newton's method creeps. Softer ones have wider valleys,
  // which end near by: from soft to stiff, each from the last one's solution. Factors of two are exact, so that the
  // laws are what they were at the end.
  SolveOutcome iterate_by_stiffness(SolveStatistics& statistics) {
    constexpr int kLevels = 8;
    constexpr double kFactor = 16;
    auto& contacts = std::get<0>(potentials_);
    contacts.scale_stiffness(island_, std::pow(kFactor, -kLevels));
    for (int level = 0; level < kLevels; ++level) {
      iterate(kLooseSolution, kPlainIterations, statistics);
      contacts.scale_stiffness(island_, kFactor);
    }
    return iterate(options_.tolerance, options_.max_iterations, statistics);
  }

  SolveOutcome iterate(double tolerance, int most, SolveStatistics& statistics) {
    double last_error = 0;
    bool may_be_local = true;
    last_change_ = 0;
    caution_ = 0;
    has_gradient_ = false;
    has_factor_ = false;
    const bool has_old_factor = std::exchange(has_old_factor_, false);
    Stopwatch watch;  // the clock is read but thrice an iteration: of a robot's step it would be a twentieth
    for (int i = 0; i < most; ++i) {
      compute_gradient();
      const double error = residual();
      if (error <= tolerance) {
        has_gradient_ = true;
        return SolveOutcome::kConverged;
      }
      has_gradient_ = false;
      if (!std::isfinite(error)) return SolveOutcome::kNotFinite;
      // Of a solution alone: on the way to it the stiffness, and with it the round-off, may be anything.
      const bool stands_still = i > 0 && error <= kLooseSolution && error > kStandstill * last_error;
      if (stands_still && is_round_off()) return SolveOutcome::kConverged;
      if (std::exchange(may_be_local, true) && is_local(error, tolerance)) {
        may_be_local = false;  // what is left is everywhere, or leaked out of the parts: all nodes are next
        const bool solved = solve_locally(error, tolerance, statistics);
        watch.restart();  // its time is counted
        if (solved) continue;
      }
      if (i == 0 && has_old_factor) {
        has_factor_ = true;
      } else if (!may_reuse_factor(i, error, last_error, tolerance)) {
        if (!hessian_.factor(caution_, watch, statistics)) return SolveOutcome::kNoFactor;
        has_factor_ = true;
        ++statistics.factorizations;
      }
      ++statistics.newton_iterations;
      // Eisenstat & Walker: as much accuracy as the last iteration earned.
      const double gain = last_error > 0 ? error / last_error : 1;
      const double forcing = std::clamp(0.9 * gain * gain, kTightForcing, kLooseForcing);
      compute_direction(std::max(forcing, std::min(kEnough, kEnough * tolerance / error)), statistics);
      watch.lap(statistics.factorization_seconds);
      last_error = error;
      const double slope = segment(vectors_.gradient).dot(segment(vectors_.direction));
      if (!std::isfinite(slope)) return SolveOutcome::kNotFinite;
      if (slope >= 0) return SolveOutcome::kConverged;  // nothing left but round-off
      const double alpha = search(slope, i < kManyIterations ? kLooseLineSearch : kExactLineSearch, statistics);
      move(alpha);
      watch.lap(statistics.line_search_seconds);
      const double change = alpha * mass_norm(vectors_.direction);
      if (change <= kNoDigitsLeft * mass_norm(v_)) return SolveOutcome::kConverged;
      if (options_.published_stopping && is_near_enough(change, tolerance)) return SolveOutcome::kConverged;
      adapt_caution(alpha);
    }
    return SolveOutcome::kTooManyIterations;
  }

  // Whether the factor at hand will do: if the residual goes on shrinking as it just did, the solve ends within the
  // iterations that it may take.   CENIC (35)
  bool may_reuse_factor(int iteration, double error, double last_error, double tolerance) const {
    const bool pays = !is_part_ && hessian_.is_sparse() && hessian_.estimated_flops() > kCostlyFactor;
    if (!options_.reuse_factors.value_or(pays) || !has_factor_ || hessian_.is_iterative()) return false;
    const double shrinkage = error / last_error;
    return shrinkage < 1 && error * std::pow(shrinkage, kWantedIterations - iteration) < tolerance;
  }

  // Whether the velocities are near enough to the solution, as the last two changes predict.   CENIC (33)
  bool is_near_enough(double change, double tolerance) {
    const double rate = change / std::exchange(last_change_, change);  // Theta; infinite after the first change
    return rate < 1 && rate / (1 - rate) * change <= tolerance * impulses_;
  }

  // Steps that end early ran into kinks of friction: the next one respects them. Measured on piles: a quarter fewer
  // iterations.
  void adapt_caution(double alpha) {
    if (alpha < 0.25) caution_ = 1;
    if (alpha > 0.7) caution_ = caution_ > 1e-3 ? 0.1 * caution_ : 0;
  }

  // A tree that nothing acts on: A v = r.
  SolveOutcome solve_alone() {
    const Node& node = problem_.nodes[island_.nodes.first];
    segment(v_) = segment(problem_.r);
    if (node.size == 6) {
      const Eigen::LLT<Matrix6d> factor(Eigen::Map<const Matrix6d>(problem_.A.data() + node.A));
      if (factor.info() != Eigen::Success) return SolveOutcome::kNoFactor;
      Eigen::Map<Vector6d> v(v_.data() + node.start);
      factor.solveInPlace(v);
    } else {
      if (!hessian_.factor_mass()) return SolveOutcome::kNoFactor;
      hessian_.solve_in_place(v_.data() + node.start);
    }
    return segment(v_).allFinite() ? SolveOutcome::kConverged : SolveOutcome::kNotFinite;
  }

  // Solves for the nodes that are chosen alone, each group of them that touch on its own; the others keep their
  // velocities. Every part of a convex problem that is solved brings the whole nearer to its minimum, and the kinks of
  // a few contacts do not cut the step of all. False if that failed: then nothing has changed.
  bool solve_locally(double error, double tolerance, SolveStatistics& statistics) {
    LocalWorkspace<ContactLaw>& local = *workspace_.local;
    LocalProblem<ContactLaw>& part = local.part;
    part.build(problem_, island_, potentials_, local.choice.is_chosen, v_);
    const size_t count = part.problem.islands.size();
    local.vectors.grow(part.v.size());
    if (local.islands.size() < count) local.islands.resize(count);
    NewtonOptions options = options_;
    options.consistent_friction = false;
    options.tolerance =
        std::max(kLocalGain * tolerance, kLocalGain * kLocalGain * error) / std::sqrt(static_cast<double>(count));
    const double impulses = norm(vectors_.gradient) / error;
    SolveStatistics own;
    bool solved = true;
    for (size_t i = 0; i < count && solved; ++i) {
      IslandSolver solver(part.problem, part.problem.islands[i], options, part.potentials, part.v, local.vectors,
                          local.islands[i]);
      solved = solver.solve_part(impulses, own) == SolveOutcome::kConverged;
    }
    statistics.local_iterations += own.newton_iterations;
    statistics.line_search_iterations += own.line_search_iterations;
    statistics.assembly_seconds += own.assembly_seconds;
    statistics.factorization_seconds += own.factorization_seconds;
    statistics.line_search_seconds += own.line_search_seconds;
    if (!solved) return false;
    part.write_back(problem_, v_);
    go_to(v_);
    return true;
  }

  // Whether to do so: if nearly all of the residual is that of a few nodes.
  bool is_local(double error, double tolerance) {
    if (!options_.local_solves || is_part_ || island_.nodes.count < kLargeIsland) return false;
    if (!workspace_.local) workspace_.local = std::make_unique<LocalWorkspace<ContactLaw>>();
    const double rest = std::max(kLocalRest, 0.5 * tolerance / error);
    return choose_nodes(problem_, island_, vectors_.gradient, rest, workspace_.local->choice);
  }

  auto segment(VectorXd& x) const { return x.segment(island_.start, island_.size); }
  auto segment(const VectorXd& x) const { return x.segment(island_.start, island_.size); }

  // |D x| of a momentum and |D^-1 x| of a velocity, D = diag(A)^-1/2.
  template <typename Momentum>
  double norm_of(const Momentum& x) const {
    return std::sqrt((x.array().square() * segment(vectors_.inverse_diagonal).array()).sum());
  }
  double norm(const VectorXd& x) const { return norm_of(segment(x)); }
  double mass_norm(const VectorXd& x) const {
    return std::sqrt((segment(x).array().square() * segment(vectors_.diagonal).array()).sum());
  }

  // What the smooth forces do in the step: r - A v of its start.
  void measure_scales() {
    for_each_node(problem_, island_, [&](const Node& node) {
      const double* A = problem_.A.data() + node.A;
      for (int k = 0; k < node.size; ++k) vectors_.diagonal[node.start + k] = A[k * (node.size + 1)];
    });
    segment(vectors_.inverse_diagonal) = segment(vectors_.diagonal).cwiseInverse();
    const double trace = segment(vectors_.diagonal).sum();
    multiply_mass(problem_, island_, problem_.start, vectors_.momentum);
    segment(vectors_.direction) = segment(problem_.r) - segment(vectors_.momentum);
    scale_ = std::max({least_scale_, kNegligibleSpeed * std::sqrt(trace), norm(vectors_.direction)});
    if (options_.published_stopping) scale_ = std::max(scale_, norm(problem_.r));  // CENIC (32)
  }

  // The momentum that is not balanced, |D g|, relative to the impulses of the step: of smooth forces, and of contact
  // and constraints, A v - r - g. CENIC (32) compares with the momentum of all that moves, in which the weight of a
  // fast body over a short step goes under.
  double residual() {
    impulses_ =
        std::max(scale_, norm_of(segment(vectors_.momentum) - segment(problem_.r) - segment(vectors_.gradient)));
    return norm(vectors_.gradient) / impulses_;
  }

  // The residual that rounding v makes: stiff contacts turn its last digits into impulses.
  bool is_round_off() const {
    return norm(vectors_.gradient) <= kRoundOff * hessian_.stiffness_ratio() * mass_norm(v_);
  }

  void compute_gradient() {
    segment(vectors_.gradient) = segment(vectors_.momentum) - segment(problem_.r);
    for_each_potential(potentials_, [&](auto& p) { p.add_gradient(problem_, island_, vectors_.gradient.data()); });
  }

  void compute_direction(double forcing, SolveStatistics& statistics) {
    if (hessian_.is_iterative()) {
      GradientVectors x{segment(vectors_.residual), segment(vectors_.preconditioned), segment(vectors_.conjugate),
                        segment(vectors_.image)};
      conjugate_gradients(
          forcing, segment(vectors_.gradient), x, [&] { hessian_.multiply(vectors_.conjugate, vectors_.image); },
          [&] { hessian_.solve_in_place(vectors_.preconditioned.data() + island_.start); }, segment(vectors_.direction),
          statistics.gradient_iterations);
    } else {
      segment(vectors_.direction) = -segment(vectors_.gradient);
      hessian_.solve_in_place(vectors_.direction.data() + island_.start);
    }
    set_direction();
  }

  void set_direction() {
    for_each_potential(potentials_, [&](auto& p) { p.set_direction(problem_, island_, vectors_.direction.data()); });
    multiply_mass(problem_, island_, vectors_.direction, vectors_.product);
  }

  double search(double slope, double tolerance, SolveStatistics& statistics) {
    const double linear = segment(vectors_.direction).dot(segment(vectors_.momentum) - segment(problem_.r));
    const double quadratic = segment(vectors_.direction).dot(segment(vectors_.product));
    // The direction solves H p = -g, but for friction's caution and a factor of earlier: the curvature is -slope.
    const LineValue first{slope, -slope};
    const auto at = [&](double alpha) {
      if (!options_.contact_space) set_direction();
      LineValue value{linear + alpha * quadratic, quadratic};
      for_each_potential(potentials_, [&](const auto& p) { value += p.along(island_, alpha); });
      return value;
    };
    return line_search(first, tolerance, options_.line_search_start, at, statistics.line_search_iterations);
  }

  void move(double alpha) {
    segment(v_) += alpha * segment(vectors_.direction);
    segment(vectors_.momentum) += alpha * segment(vectors_.product);
    for_each_potential(potentials_, [&](auto& p) { p.move(island_, alpha); });
  }

  const Problem& problem_;
  const Island& island_;
  const NewtonOptions& options_;
  Potentials<ContactLaw>& potentials_;
  VectorXd& v_;
  NewtonVectors& vectors_;
  IslandWorkspace<ContactLaw>& workspace_;
  IslandHessian<ContactLaw> hessian_;
  double scale_ = 0;
  double impulses_ = 0;          // of the step, at least scale_: what the last residual is relative to
  double last_change_ = 0;       // of v
  bool has_gradient_ = false;    // that of v, after iterate()
  double caution_ = 0;           // see LaggedModel::hessian
  bool has_factor_ = false;      // of an earlier iteration
  bool has_old_factor_ = false;  // of the last solve
  bool is_part_ = false;
  double least_scale_ = 0;
};

}  // namespace

template <template <typename> class ContactLaw>
SolveOutcome solve_island(const Problem& problem, const Island& island, const NewtonOptions& options,
                          Potentials<ContactLaw>& potentials, VectorXd& v, bool again, SolveStatistics& statistics,
                          NewtonVectors& vectors, IslandWorkspace<ContactLaw>& workspace) {
  SolveStatistics own;
  IslandSolver<ContactLaw> solver(problem, island, options, potentials, v, vectors, workspace);
  const SolveOutcome outcome = again ? solver.solve_again(own) : solver.solve_anew(own);
  statistics.add(own);
  return outcome;
}

template SolveOutcome solve_island<LaggedModel>(const Problem&, const Island&, const NewtonOptions&,
                                                Potentials<LaggedModel>&, VectorXd&, bool, SolveStatistics&,
                                                NewtonVectors&, IslandWorkspace<LaggedModel>&);
template SolveOutcome solve_island<AnchoredModel>(const Problem&, const Island&, const NewtonOptions&,
                                                  Potentials<AnchoredModel>&, VectorXd&, bool, SolveStatistics&,
                                                  NewtonVectors&, IslandWorkspace<AnchoredModel>&);
template SolveOutcome solve_island<SimilarModel>(const Problem&, const Island&, const NewtonOptions&,
                                                 Potentials<SimilarModel>&, VectorXd&, bool, SolveStatistics&,
                                                 NewtonVectors&, IslandWorkspace<SimilarModel>&);
template SolveOutcome solve_island<SapModel>(const Problem&, const Island&, const NewtonOptions&, Potentials<SapModel>&,
                                             VectorXd&, bool, SolveStatistics&, NewtonVectors&,
                                             IslandWorkspace<SapModel>&);

}  // namespace stickslip
