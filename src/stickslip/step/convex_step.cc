#include "stickslip/step/convex_step.h"

#include <fmt/format.h>

#include "stickslip/base/stopwatch.h"
#include "stickslip/dynamics/forces.h"
#include "stickslip/geometry/reach.h"
#include "stickslip/icf/measure_work.h"
#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/state/configuration.h"
#include "stickslip/step/smooth_dynamics.h"

namespace stickslip {
namespace {

// The rows at the model's start tell what mass each constraint moves.
RowList measured_rows(const Model& model, const TimeScales& scales) {
  RowList rows(model);
  const State start = initial_state(model);
  EquationsOfMotion equations(model);
  compute_equations_of_motion(model, start, equations);
  add_rows({model, start, equations.kinematics, equations.mass, equations.workspace.acceleration, scales}, rows);
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

}  // namespace

template <template <typename> class ContactLaw>
ConvexStep<ContactLaw>::ConvexStep(const Model& model, const MethodOptions& options, const ContactLawOptions& law)
    : model_(model),
      law_(law),
      collision_(std::make_shared<const CollisionModel>(make_collision_model(model))),
      row_list_(measured_rows(model, scales_)),
      terms_builder_(model),
      problem_builder_(model, options.islands) {
  for (const Material& material : collision_->materials) {
    largest_friction_ = std::max({largest_friction_, material.static_friction, material.dynamic_friction});
    largest_relaxation_time_ = std::max(largest_relaxation_time_, material.relaxation_time.value_or(0));
  }
  newton_.tolerance = options.solver_tolerance;
  newton_.linear_solver = options.linear_solver;
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
  p.state = state;
  compute_equations_of_motion(model_, state, p.equations);
  compute_explicit_forces(model_, state, p.equations.kinematics, p.force);
  p.force -= p.equations.bias;
  watch.lap(statistics_.dynamics_seconds);

  compute_reach(*collision_, model_, p.equations.kinematics, h_max, p.reach);
  const double factor = reach_factor<ContactLaw>(h_max, largest_friction_, largest_relaxation_time_);
  for (size_t i = 0; i < p.reach.size(); ++i) {
    // Running surfaces do not move, but friction feels them, and Similar and SAP take that for approach.
    const double running = h_max * collision_->geometries[i].surface_velocity.norm();
    p.reach[i] = factor * p.reach[i] + (factor - 1) * running;
  }
  find_contacts(*collision_, p.equations.kinematics, p.reach, p.contacts, contact_workspace_);
  ++statistics_.geometry_queries;
  watch.lap(statistics_.geometry_seconds);
  terms_builder_.build(
      {*collision_, state, p.equations.kinematics, p.equations.mass, p.equations.workspace.acceleration, p.contacts,
       scales_, kNeedsInverseMass<ContactLaw> || law_.softer_impacts},
      p.terms);
  p.rows.clear();
  add_rows({model_, state, p.equations.kinematics, p.equations.mass, p.equations.workspace.acceleration, scales_},
           p.rows);
  return systems_.prepare(state, p.equations.kinematics, p.equations.mass, p.rows, p.systems);
}

template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::set_laws(const Preparation& p, double h) {
  for_each_potential(solver_.potentials, [&](auto& potential) { potential.resize(problem_); });
  auto& contacts = std::get<0>(solver_.potentials);
  for (size_t i = 0; i < problem_.contacts.size(); ++i) {
    const int source = problem_.contacts[i].source;
    const ContactLaw<double> law =
        source >= 0 ? contact_law<ContactLaw>(p.terms.contacts[source], h, law_) : ContactLaw<double>();
    set_lane<ContactLaw>(contacts.laws[i / kPackSize], static_cast<int>(i % kPackSize), law);
  }
  auto& limits = std::get<1>(solver_.potentials);
  for (size_t i = 0; i < problem_.limit_rows.size(); ++i)
    limits.laws[i] = p.rows.limits[problem_.limit_rows[i].source].law(h);
  auto& forces = std::get<2>(solver_.potentials);
  for (size_t i = 0; i < problem_.force_rows.size(); ++i)
    forces.laws[i] = p.rows.forces[problem_.force_rows[i].source].law(h);
  systems_.set_laws(p.systems, problem_, forces.laws);
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
  const auto& p = static_cast<const Preparation&>(prepared);
  problem_builder_.build(p.equations, p.state, p.force, p.terms, p.rows, h, problem_, v_);
  if (Status status = systems_.add_to_problem(p.state, p.equations, p.systems, h, problem_); !status.ok())
    return status;
  set_laws(p, h);
  start_v_ = v_;
  last_ = &p;
  const SolveOutcome outcome = solver_.solve(problem_, newton_, v_, pool_.get());
  statistics_.solver.add(solver_.statistics);
  if (outcome != SolveOutcome::kConverged) return failure(outcome, p.state);
  next = p.state;
  next.time += h;
  problem_builder_.read_velocities(p.equations, problem_, v_, next.v);
  displacement_.resize(model_.nv);
  displacement_ = h * next.v;
  integrate(model_, p.state.q, displacement_, next.q);
  statistics_.work += measure_work<ContactLaw>({model_, problem_, p.rows, p.force, start_v_, v_, p.state.v, next.v},
                                               solver_.potentials);
  systems_.add_work(p.state, next, statistics_.work);
  if (Status finite = check_finite(model_, p.state, next); !finite.ok()) return finite;
  return systems_.advance(p.state, next);
}

template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::read_contacts(std::vector<ContactResult>& out) const {
  out.clear();
  if (!last_) return;
  const ContactSet& set = last_->contacts;
  out.resize(static_cast<size_t>(set.size()));
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
  const auto& contacts = std::get<0>(solver_.potentials);
  for (size_t i = 0; i < problem_.contacts.size(); ++i) {
    const PatchContact& placed = problem_.contacts[i];
    if (placed.source < 0) continue;
    ContactResult& contact = out[placed.source];
    const Vector3d impulse = contacts.impulse(static_cast<int>(i)), v = contacts.velocity(static_cast<int>(i));
    contact.force = placed.frame * impulse / problem_.h;
    contact.slip = placed.frame.leftCols<2>() * v.head<2>();
    contact.mode =
        contact_mode(impulse.z(), v.head<2>().norm(), last_->terms.contacts[placed.source].stiction_tolerance);
  }
}

template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::read_constraint_forces(VectorXd& tau) const {
  tau.setZero();
  if (!last_) return;
  const auto& [contacts, limits, forces] = solver_.potentials;
  VectorXd f = VectorXd::Zero(v_.size());
  const double scale = 1 / problem_.h;
  for (size_t i = 0; i < problem_.limit_rows.size(); ++i)
    limits.add_impulse(problem_, static_cast<int>(i), scale, f.data());
  for (size_t i = 0; i < problem_.force_rows.size(); ++i) {
    const RowKind kind = last_->rows.forces[problem_.force_rows[i].source].kind;
    if (kind == RowKind::kConstraint || kind == RowKind::kFriction)
      forces.add_impulse(problem_, static_cast<int>(i), scale, f.data());
  }
  problem_builder_.read_forces(last_->equations, problem_, f, tau);
}

template class ConvexStep<LaggedModel>;
template class ConvexStep<SimilarModel>;
template class ConvexStep<SapModel>;

}  // namespace stickslip
