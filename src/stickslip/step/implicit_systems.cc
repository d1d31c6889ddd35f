#include "stickslip/step/implicit_systems.h"

#include <fmt/format.h>

#include "stickslip/icf/add_feedback.h"

namespace stickslip {
namespace {

Status unbounded_state(const System& system, const State& last_good) {
  return {StatusCode::kNotFinite, last_good.time, "",
          fmt::format("the state of system '{}' grew beyond all numbers after t = {} s; look at its derivative "
                      "function: the controller's own dynamics may be unstable",
                      system.name(), last_good.time)};
}

}  // namespace

void ImplicitSystems::set(std::shared_ptr<const SystemList> systems) {
  systems_ = systems && !systems->empty() ? std::move(systems) : nullptr;
  evaluator_ = systems_ ? std::make_unique<SystemEvaluator>(systems_) : nullptr;
  linearizer_ = systems_ ? std::make_unique<SystemLinearizer>(systems_) : nullptr;
  watch_ = systems_ ? std::make_unique<SystemWatch>(systems_) : nullptr;
  if (watch_ && !watch_->is_awake()) watch_ = nullptr;
}

Status ImplicitSystems::prepare(const State& state, const Kinematics& kinematics, const MassMatrix& mass, RowList& rows,
                                Prepared& prepared) {
  if (!systems_) return {};
  prepared.first_row = static_cast<int>(rows.forces.size());
  for (const LimitedDof& limited : linearizer_->limited()) {
    rows.coefficient(limited.v, 1);
    rows.finish_force(kinematics, mass, {.kind = RowKind::kActuator});
  }
  return evaluator_->evaluate(state, prepared.terms);
}

Status ImplicitSystems::add_to_problem(const State& start, const EquationsOfMotion& equations, const Prepared& prepared,
                                       double h, Problem& problem) {
  if (!systems_) return {};
  linearizer_->linearize(start, prepared.terms, h, linear_);
  for (size_t i = 0; i < linear_.responses.size(); ++i) {
    const StateResponse& response = linear_.responses[i];
    if (!response.shift.allFinite() || !response.Z.allFinite())
      return unbounded_state(*systems_->entries()[i].system, start);
  }
  add_feedback(systems_->model(), equations, linear_, problem);
  return {};
}

void ImplicitSystems::set_laws(const Prepared& prepared, const Problem& problem, std::vector<ClampLaw>& laws) const {
  if (!systems_ || linear_.limited.empty()) return;
  for (size_t i = 0; i < problem.force_rows.size(); ++i) {
    const int index = problem.force_rows[i].source - prepared.first_row;
    if (index < 0) continue;
    const LimitedDof& limited = linear_.limited[index];
    // tau = clamp(offset - damping v): the force of a row, whose law knows what to do without damping.
    const ForceSpec spec{.offset = limited.d, .damping = limited.c, .lower = -limited.limit, .upper = limited.limit};
    laws[i] = spec.law(linear_.h);
  }
}

Status ImplicitSystems::advance(const State& start, State& next) const {
  if (!systems_) return {};
  linearizer_->advance_z(linear_, start, next.v, next.z);
  return check_finite(*systems_, start, next);
}

// Degrees of freedom with limits are rows, which are counted where all rows are.
void ImplicitSystems::add_activity(std::vector<TreeActivity>& activity) const {
  if (!systems_) return;
  const Model& model = systems_->model();
  for (size_t i = 0; i < model.trees.size(); ++i) {
    const Tree& tree = model.trees[i];
    bool acts = false;
    for (int k = 0; k < tree.nv; ++k) acts = acts || linear_.d[model.v_of_dof[tree.first_dof + k]] != 0;
    const int feedback = linear_.feedback_of_tree[i];
    acts = acts || (feedback >= 0 && !linear_.feedback[feedback].C.isZero(0));
    activity[i].is_acted_on = activity[i].is_acted_on || acts;
    activity[i].is_driven = activity[i].is_driven || acts;
  }
}

// In A stands M + h C, and M is what is left without the systems: see add_joint_work.
void ImplicitSystems::add_work(const State& start, const State& next, StepWork& work) {
  if (!systems_) return;
  const double h = linear_.h;
  const auto power_at = [&](const VectorXd& v) {
    linearizer_->read_force(linear_, v, tau_);
    return 0.5 * (tau_.dot(start.v) + tau_.dot(next.v));
  };
  const double end = power_at(next.v), begin = power_at(start.v);
  work.actuators += h * end;
  work.by_systems = watch_ != nullptr || !tau_.isZero(0);
  work.internal += h * (end - begin);
}

Status check_finite(const SystemList& systems, const State& last_good, const State& next) {
  if (next.z.allFinite()) return {};
  for (const SystemEntry& entry : systems.entries()) {
    if (next.z.segment(entry.z_start, entry.nz).allFinite()) continue;
    return unbounded_state(*entry.system, last_good);
  }
  return {};
}

}  // namespace stickslip
