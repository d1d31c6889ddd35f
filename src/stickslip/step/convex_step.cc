#include "stickslip/step/convex_step.h"

#include <fmt/format.h>

#include "stickslip/base/stopwatch.h"
#include "stickslip/dynamics/forces.h"
#include "stickslip/geometry/reach.h"
#include "stickslip/icf/contact_frame.h"
#include "stickslip/icf/end_share.h"
#include "stickslip/icf/measure_work.h"
#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/icf/stored_energy.h"
#include "stickslip/state/configuration.h"
#include "stickslip/step/move_by_trapezoid.h"
#include "stickslip/step/smooth_dynamics.h"

namespace stickslip {
namespace {

// The rows at the model's start tell what mass each constraint moves.
RowList measured_rows(const Model& model, const TimeScales& scales) {
  RowList rows(model);
  const State start = initial_state(model);
  EquationsOfMotion equations(model);
  compute_equations_of_motion(model, start, equations);
  add_rows({{model, start, equations.kinematics}, equations.mass, equations.workspace.acceleration, scales}, rows);
  rows.remember_masses(model, equations.mass);
  return rows;
}

// A link whose joint moves no inertia; -1 if there is none.
int massless_link(const Model& model, const State& state, const Kinematics& kinematics) {
  const VectorXd tau = VectorXd::Zero(model.nv);
  VectorXd vdot;
  ForwardDynamicsWorkspace workspace;
  return forward_dynamics(model, state, kinematics, tau, nullptr, nullptr, vdot, workspace).singular_link;
}

// The trees that actuators act on.
std::vector<char> driven_trees(const Model& model) {
  std::vector<char> driven(model.trees.size(), 0);
  std::vector<int> tree_of_v(model.nv, -1);
  for (const Link& link : model.links)
    for (int k = 0; k < velocity_count(link.kind); ++k) tree_of_v[link.v_start + k] = link.tree;
  for (const ActuatorInfo& actuator : model.actuators) {
    if (actuator.joint >= 0 && model.joints[actuator.joint].nv > 0)
      driven[tree_of_v[model.joints[actuator.joint].v_start]] = 1;
    if (actuator.tendon < 0) continue;
    for (const TendonInfo::Term& term : model.tendons[actuator.tendon].terms) driven[tree_of_v[term.v]] = 1;
  }
  return driven;
}

// Coriolis forces of trees that turn slower are not worth a second look [rad/s]. No matter of the step: what steps of
// different sizes do has to be one function of them, or extrapolation is of no use.
constexpr double kSlow = 1e-2;

bool any_tree_turns(const Model& model, const std::vector<char>& is_driven, const Kinematics& kinematics) {
  for (const int tree : model.articulated_trees) {
    if (is_driven[tree]) continue;
    const Tree& own = model.trees[tree];
    for (int i = own.first_link; i < own.first_link + own.link_count; ++i)
      if (kinematics.velocity[i].w.squaredNorm() > kSlow * kSlow) return true;
  }
  return false;
}

// The part of its cone that a contact with memory holds if it slips: all of it, but for round-off.
constexpr double kFullFriction = 1 - 1e-9;

}  // namespace

template <template <typename> class ContactLaw>
ConvexStep<ContactLaw>::ConvexStep(const Model& model, const MethodOptions& options, const ContactLawOptions& law)
    : model_(model),
      law_(law),
      scales_{.beta = options.beta},
      free_turns_(model),
      is_published_(options.published),
      has_curved_gaps_(!options.published && has_curved_gaps(model)),
      is_driven_(driven_trees(model)),
      weighs_ends_(options.with_trapezoid && options.solver.stiff_at_end),
      collision_(std::make_shared<const CollisionModel>(make_collision_model(model))),
      energy_meter_(model),
      off_center_(find_off_center_links(model)),
      row_list_(measured_rows(model, scales_)),
      terms_builder_(model, options.solver.patches),
      problem_builder_(model, options.solver.islands),
      end_rows_(row_list_) {
  for (const Material& material : collision_->materials) {
    largest_friction_ = std::max({largest_friction_, material.static_friction, material.dynamic_friction});
    largest_relaxation_time_ = std::max(largest_relaxation_time_, material.relaxation_time.value_or(0));
  }
  newton_.tolerance = options.solver.tolerance;
  newton_.linear_solver = options.solver.linear_solver;
  newton_.line_search_start = options.solver.line_search_start;
  newton_.reuse_factors = options.solver.reuse_factors;
  newton_.contact_space = options.solver.contact_space;
  newton_.local_solves = options.solver.local_solves;
  newton_.consistent_friction = options.consistent_friction;
  newton_.published_stopping = options.published;
  if (options.threads > 1) pool_ = std::make_unique<ThreadPool>(options.threads);
}

template <template <typename> class ContactLaw>
std::unique_ptr<Method::Prepared> ConvexStep<ContactLaw>::make_prepared() const {
  return std::make_unique<Preparation>(model_, row_list_);
}

template <template <typename> class ContactLaw>
Status ConvexStep<ContactLaw>::prepare(const State& state, double h_max, Prepared& prepared) {
  auto& p = static_cast<Preparation&>(prepared);
  Stopwatch watch;
  p.serial = ++preparations_;
  p.state = state;
  compute_equations_of_motion(model_, state, p.equations);
  compute_explicit_forces(model_, state, p.equations.kinematics, p.force);
  p.force -= p.equations.bias;
  add_turning_force(model_, off_center_, p.equations, p.force);
  free_turns_.add_torque(state, -1, p.force);
  p.turns = !is_published_ && !systems_.any() && any_tree_turns(model_, is_driven_, p.equations.kinematics);
  watch.lap(statistics_.dynamics_seconds);

  compute_reach(*collision_, model_, p.equations.kinematics, h_max, p.reach);
  compute_inner_reach(*collision_, model_, p.equations.kinematics, p.reach, h_max, largest_friction_, systems_.any(),
                      inner_reach_);
  const double factor = reach_factor<ContactLaw>(h_max, largest_friction_, largest_relaxation_time_);
  for (size_t i = 0; i < p.reach.size(); ++i) {
    // Running surfaces do not move, but friction feels them, and Similar and SAP take that for approach.
    const double running = h_max * collision_->geometries[i].surface_velocity.norm();
    p.reach[i] = factor * p.reach[i] + (factor - 1) * running;
    if (!inner_reach_.of.empty()) inner_reach_.of[i] = factor * inner_reach_.of[i] + (factor - 1) * running;
  }
  inner_reach_.scale = factor;
  find_contacts(*collision_, p.equations.kinematics, p.reach, p.contacts, contact_workspace_, kMaxManifoldPoints,
                &inner_reach_);
  ++statistics_.geometry_queries;
  watch.lap(statistics_.geometry_seconds);
  terms_builder_.build({*collision_, state, p.equations.kinematics, p.equations.mass, p.contacts, scales_,
                        kNeedsInverseMass<ContactLaw> || law_.softer_impacts || weighs_ends_},
                       p.terms);
  if constexpr (kRemembers<ContactLaw>) recall_grips(p);
  p.rows.clear();
  add_rows({{model_, state, p.equations.kinematics}, p.equations.mass, p.equations.workspace.acceleration, scales_},
           p.rows);
  const Status status = systems_.prepare(state, p.equations.kinematics, p.equations.mass, p.rows, p.systems);
  watch.lap(statistics_.setup_seconds);
  return status;
}

template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::recall_grips(Preparation& p) {
  load_.clear();
  for (const ContactTerms& contact : p.terms.contacts) load_.push_back(contact.force);
  find_grips({*collision_, p.equations.kinematics, p.contacts, load_, p.state.grips, newton_.consistent_friction},
             p.grips, p.grip_share);
  give_grips(p.contacts, p.equations.kinematics, p.grips, p.grip_share, p.terms);
}

// The memory that the step leaves to `next`; none if the model has none.
template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::release_grips(const Preparation& p, State& next) {
  next.grips.clear();
  if constexpr (kRemembers<ContactLaw>) {
    const auto& contacts = std::get<0>(solver_.potentials);
    outcomes_.assign(static_cast<size_t>(p.contacts.size()), {});
    for (size_t i = 0; i < problem_.contacts.size(); ++i) {
      const int source = problem_.contacts[i].source;
      if (source < 0) continue;
      const auto law = get_lane<ContactLaw>(contacts.laws[i / kPackSize], static_cast<int>(i % kPackSize));
      const double stiffness =
          share_in(problem_, p.terms.contacts[source]) * p.terms.contacts[source].tangential_stiffness;
      outcomes_[source] = grip_outcome(law, contacts.velocity(static_cast<int>(i)), problem_.h, stiffness);
    }
    keep_grips(p.contacts, p.terms, p.equations.kinematics, p.grips, p.grip_share, outcomes_, problem_.h, next.grips);
  }
}

// law_of(terms) of each contact; lanes without one get a law that does nothing.
template <template <typename> class ContactLaw>
template <typename LawOf>
void ConvexStep<ContactLaw>::set_contact_laws(const ContactTermsList& terms, LawOf&& law_of) {
  for_each_potential(solver_.potentials, [&](auto& potential) { potential.resize(problem_); });
  auto& contacts = std::get<0>(solver_.potentials);
  for (size_t i = 0; i < problem_.contacts.size(); ++i) {
    const int source = problem_.contacts[i].source;
    const ContactLaw<double> law = source >= 0 ? law_of(terms.contacts[source]) : ContactLaw<double>();
    set_lane<ContactLaw>(contacts.laws[i / kPackSize], static_cast<int>(i % kPackSize), law);
    contacts.friction[i / kPackSize][i % kPackSize] = source >= 0 ? terms.contacts[source].friction : 0;
  }
}

template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::set_laws(const ContactTermsList& terms, const RowList& rows) {
  const double h = problem_.h;
  set_contact_laws(terms, [&](const ContactTerms& contact) { return contact_law<ContactLaw>(contact, h, law_); });
  auto& limits = std::get<1>(solver_.potentials);
  for (size_t i = 0; i < problem_.limit_rows.size(); ++i)
    limits.laws[i] = rows.limits[problem_.limit_rows[i].source].law(h);
  auto& forces = std::get<2>(solver_.potentials);
  for (size_t i = 0; i < problem_.force_rows.size(); ++i)
    forces.laws[i] = rows.forces[problem_.force_rows[i].source].law(h);
}

// Of a state that ends the step: laws step back from it, and count by their share.
template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::set_end_laws(const ContactTermsList& terms, const RowList& rows) {
  const double h = problem_.h;
  set_contact_laws(terms, [&](const ContactTerms& contact) {
    ContactLaw<double> law = contact_law<ContactLaw>(contact.stepped_back(h), h, law_);
    law.scale_potential(contact.end_share(h));
    return law;
  });
  const auto set_rows = [&](const std::vector<Row>& placed, const auto& specs, auto& potential) {
    for (const Island& island : problem_.islands) potential.set_velocity(problem_, island, v_.data());
    for (size_t i = 0; i < placed.size(); ++i) {
      const auto& spec = specs[placed[i].source];
      auto& law = potential.laws[i];
      law = spec.stepped_back(h, potential.velocity(static_cast<int>(i))).law(h);
      law.scale_potential(spec.end_share(h));
    }
  };
  set_rows(problem_.limit_rows, rows.limits, std::get<1>(solver_.potentials));
  set_rows(problem_.force_rows, rows.forces, std::get<2>(solver_.potentials));
}

template <template <typename> class ContactLaw>
Status ConvexStep<ContactLaw>::failure(SolveOutcome outcome, const State& start) const {
  if (Status finite = check_finite(model_, start, start); !finite.ok()) return finite;
  if (const int link = massless_link(model_, start, last_->equations.kinematics); link >= 0)
    return singular_mass(model_, start, link);
  const Island& island = problem_.islands[solver_.failed_island];
  const Tree& tree = model_.trees[problem_.nodes[island.nodes.first].tree];
  const int joint = model_.links[tree.first_link].joint;
  const std::string body = joint >= 0 ? model_.bodies[model_.joints[joint].child].name : "";
  const bool overflow = outcome == SolveOutcome::kNotFinite;
  const char* cause = overflow                             ? "its velocities grew beyond all numbers"
                      : outcome == SolveOutcome::kNoFactor ? "its equations could not be factorised"
                                                           : "Newton's method did not converge";
  return {overflow ? StatusCode::kNotFinite : StatusCode::kNotSolved, start.time, body,
          fmt::format("the step of body '{}' (and what it touches, {} trees in all) has no solution: {}; shorten the "
                      "time step, or look for extreme forces, masses and stiffnesses",
                      body, island.nodes.count, cause)};
}

template <template <typename> class ContactLaw>
Status ConvexStep<ContactLaw>::advance(const Prepared& prepared, double h, State& next) {
  return advance(prepared, h, static_cast<const Preparation&>(prepared).state.v, next);
}

template <template <typename> class ContactLaw>
Status ConvexStep<ContactLaw>::advance(const Prepared& prepared, double h, const VectorXd& guess, State& next) {
  const auto& p = static_cast<const Preparation&>(prepared);
  Stopwatch watch;
  force_ = p.force;
  if (is_published_) free_turns_.add_torque(p.state, 1, force_);
  problem_builder_.build(p.problem_terms(force_), h, problem_);
  if (Status status = systems_.add_to_problem(p.state, p.equations, p.systems, h, problem_); !status.ok())
    return status;
  problem_builder_.node_terms().write_velocities(p.equations, problem_, guess, v_);
  set_laws(p.terms, p.rows);
  systems_.set_laws(p.systems, problem_, std::get<2>(solver_.potentials).laws);
  watch.lap(statistics_.setup_seconds);
  if (Status status = solve(p, p.state); !status.ok()) return status;
  if (Status status = solve_for_end(p); !status.ok()) return status;
  next = p.state;
  next.time += h;
  problem_builder_.node_terms().read_velocities(p.equations, problem_, v_, next.v);
  work_ = measure_work<ContactLaw>({model_, problem_, p.rows, force_, problem_.start, v_, p.state.v, next.v},
                                   solver_.potentials);
  systems_.add_work(p.state, next, work_);
  const Status advanced = systems_.advance(p.state, next);
  move(p, h, next);
  release_grips(p, next);
  if (Status finite = check_finite(model_, p.state, next); !finite.ok()) return finite;
  return advanced;
}

// `end`: at first the start, with the velocities that the step solved for.
template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::move(const Preparation& p, double h, State& end) {
  solved_v_ = end.v;
  displacement_.resize(model_.nv);
  displacement_ = h * end.v;
  if (!is_published_) free_turns_.turn(h, displacement_, end.v);
  follow_centers(model_, off_center_, p.equations.kinematics, h, solved_v_, displacement_, end.v);
  integrate(model_, p.state.q, displacement_, end.q);
}

// Warm start: CENIC VI-A
template <template <typename> class ContactLaw>
Status ConvexStep<ContactLaw>::correct(const Prepared& start, const Prepared& predicted, double h, State& next) {
  const auto &s = static_cast<const Preparation&>(start), &p = static_cast<const Preparation&>(predicted);
  compute_present_forces(model_, s.terms, s.rows, p.rows, h, present_);
  end_rows_ = p.rows;
  end_rows_.average_stiff_rows(s.rows);
  const ProblemTerms end{p.state, p.equations, p.force, p.terms, end_rows_};
  problem_builder_.build_trapezoid(s.problem_terms(s.force), end, present_, h, problem_);
  // External systems stay of first order, CENIC, remark 1.
  if (Status status = systems_.add_to_problem(s.state, s.equations, s.systems, h, problem_); !status.ok())
    return status;
  problem_builder_.node_terms().write_velocities(p.equations, problem_, p.state.v, v_);
  set_end_laws(p.terms, end_rows_);
  systems_.set_laws(s.systems, problem_, std::get<2>(solver_.potentials).laws);
  if (Status status = solve(p, s.state); !status.ok()) return status;
  next = s.state;
  next.time += h;
  move_by_trapezoid(model_, free_turns_, problem_, s.equations, p.equations, v_, displacement_, next);
  release_grips(p, next);
  work_ = measure_trapezoid_work<ContactLaw>({model_, problem_, p.rows, s.force, problem_.start, v_, s.state.v, next.v},
                                             present_, solver_.potentials);
  systems_.add_work(s.state, next, work_);
  if (Status finite = check_finite(model_, s.state, next); !finite.ok()) return finite;
  return systems_.advance(s.state, next);
}

template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::watch_systems(const Prepared& start, const Prepared* middle, const State& end,
                                           const TellMissed& tell) {
  SystemWatch* watch = systems_.watch();
  if (!watch) return;
  const auto& s = static_cast<const Preparation&>(start);
  const auto* m = static_cast<const Preparation*>(middle);
  impulse_response_.begin(problem_);
  const auto respond = [&](const MissedImpulse& missed) {
    impulse_response_.respond(problem_, problem_builder_.node_terms(), last_->equations, missed.impulse, missed_v_);
    return tell({missed, missed_v_});
  };
  watch->look(s.state, s.systems.terms, m ? &m->state : nullptr, m ? &m->systems.terms : nullptr, end,
              std::cref(respond));
}

template <template <typename> class ContactLaw>
Status ConvexStep<ContactLaw>::solve(const Preparation& p, const State& start) {
  last_ = &p;
  const SolveOutcome outcome = solver_.solve(problem_, newton_, v_, pool_.get());
  statistics_.solver.add(solver_.statistics);
  return outcome == SolveOutcome::kConverged ? Status() : failure(outcome, start);
}

// Of a contact of the problem.
template <template <typename> class ContactLaw>
ContactMode ConvexStep<ContactLaw>::mode(int i) const {
  const auto& contacts = std::get<0>(solver_.potentials);
  const Vector3d impulse = contacts.impulse(i);
  if constexpr (kRemembers<ContactLaw>) {
    if (!(impulse.z() > 0)) return ContactMode::kOpen;
    const double radius = contacts.laws[i / kPackSize].radius[i % kPackSize];
    return impulse.head<2>().norm() < kFullFriction * radius ? ContactMode::kStick : ContactMode::kSlip;
  } else {
    const ContactTerms& terms = last_->terms.contacts[problem_.contacts[i].source];
    return contact_mode(impulse.z(), contacts.velocity(i).template head<2>().norm(), terms.stiction_tolerance);
  }
}

template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::locate_contacts(const Prepared& prepared, std::vector<ContactResult>& out) const {
  const ContactSet& set = static_cast<const Preparation&>(prepared).contacts;
  out.assign(static_cast<size_t>(set.size()), {});
  for (const ContactPatch& patch : set.patches) {
    for (int i = patch.first; i < patch.first + patch.count; ++i) {
      ContactResult& contact = out[i];
      contact.body_a = patch.body_a;
      contact.body_b = patch.body_b;
      contact.geometry_a = set.geometry_a[set.pair[i]];
      contact.geometry_b = set.geometry_b[set.pair[i]];
      contact.feature = set.feature[i];
      contact.point = set.point[i];
      contact.normal = set.normal[i];
      contact.depth = -set.distance[i];
    }
  }
}

template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::read_contact_forces(std::vector<Vector3d>& out) const {
  const auto& contacts = std::get<0>(solver_.potentials);
  out.assign(static_cast<size_t>(last_->contacts.size()), Vector3d::Zero());
  for (size_t i = 0; i < problem_.contacts.size(); ++i) {
    const PatchContact& placed = problem_.contacts[i];
    if (placed.source >= 0)
      out[placed.source] = placed.frame * contacts.impulse(static_cast<int>(i)) /
                           (share_in(problem_, last_->terms.contacts[placed.source]) * problem_.h);
  }
}

template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::read_contacts(std::vector<ContactResult>& out) const {
  out.clear();
  if (!last_) return;
  locate_contacts(*last_, out);
  const auto& contacts = std::get<0>(solver_.potentials);
  for (size_t i = 0; i < problem_.contacts.size(); ++i) {
    const PatchContact& placed = problem_.contacts[i];
    if (placed.source < 0) continue;
    ContactResult& contact = out[placed.source];
    const Vector3d impulse = contacts.impulse(static_cast<int>(i)), v = contacts.velocity(static_cast<int>(i));
    contact.force = placed.frame * impulse / (share_in(problem_, last_->terms.contacts[placed.source]) * problem_.h);
    contact.slip = from_tangents(placed.frame, v.head<2>());
    contact.mode = mode(static_cast<int>(i));
  }
}

template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::measure_energy(const Prepared& prepared, std::vector<TreeEnergy>& energy) const {
  const auto& p = static_cast<const Preparation&>(prepared);
  energy_meter_.measure(p.state, p.equations.kinematics, energy);
  add_stored_energy(p.terms, p.rows, scales_, energy);
  add_grip_energy(model_, *collision_, p.state.grips, energy);
}

template <template <typename> class ContactLaw>
double ConvexStep<ContactLaw>::deepest_overlap(const Prepared& prepared) const {
  double deepest = 0;
  for (double distance : static_cast<const Preparation&>(prepared).contacts.distance)
    deepest = std::max(deepest, -distance);
  return deepest;
}

template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::read_constraint_forces(VectorXd& tau) {
  tau.setZero();
  if (!last_) return;
  const auto& [contacts, limits, forces] = solver_.potentials;
  VectorXd& f = read_forces_;
  f.setZero(v_.size());
  const auto scale_of = [&](const auto& spec) { return 1 / (share_in(problem_, spec) * problem_.h); };
  for (size_t i = 0; i < problem_.limit_rows.size(); ++i) {
    const LimitSpec& spec = last_->rows.limits[problem_.limit_rows[i].source];
    limits.add_impulse(problem_, static_cast<int>(i), scale_of(spec), f.data());
  }
  for (size_t i = 0; i < problem_.force_rows.size(); ++i) {
    const ForceSpec& spec = last_->rows.forces[problem_.force_rows[i].source];
    if (spec.kind == RowKind::kConstraint || spec.kind == RowKind::kFriction)
      forces.add_impulse(problem_, static_cast<int>(i), scale_of(spec), f.data());
  }
  problem_builder_.node_terms().read_forces(last_->equations, problem_, f, tau);
}

template class ConvexStep<LaggedModel>;
template class ConvexStep<AnchoredModel>;
template class ConvexStep<SimilarModel>;
template class ConvexStep<SapModel>;

}  // namespace stickslip
