#include "stickslip/systems/evaluate_systems.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "stickslip/state/configuration.h"

namespace stickslip {
namespace {

// Balances the round-off of a difference against its curvature, for a function of order 1.
const double kDifferenceStep = std::sqrt(std::numeric_limits<double>::epsilon());

Status not_finite(const System& system, double time, const char* what, const char* remedy) {
  return {StatusCode::kNotFinite, time, "",
          fmt::format("{} of system '{}' at t = {} s is not a finite number; {}", what, system.name(), time, remedy)};
}

constexpr const char* kLookAtOutput = "look at its output function: the controller made it, not the motion";
constexpr const char* kLookAtDerivative = "look at its derivative function: the controller made it, not the motion";

bool all_finite(const SystemJacobians& x) {
  return x.g_q.allFinite() && x.g_v.allFinite() && x.g_z.allFinite() && x.h_q.allFinite() && x.h_v.allFinite() &&
         x.h_z.allFinite() && x.g_t.allFinite() && x.h_t.allFinite();
}

}  // namespace

void SystemJacobians::set_zero(int n, int nz) {
  g_q.setZero(n, n);
  g_v.setZero(n, n);
  g_z.setZero(n, nz);
  h_q.setZero(nz, n);
  h_v.setZero(nz, n);
  h_z.setZero(nz, nz);
  g_t.setZero(n);
  h_t.setZero(nz);
}

SystemEvaluator::SystemEvaluator(std::shared_ptr<const SystemList> systems) : systems_(std::move(systems)) {
  for (const SystemEntry& entry : systems_->entries())
    memory_.push_back({entry.system->make_scratch(systems_->model()), {}});
}

void SystemEvaluator::require_states(const State& state) const {
  if (state.z.size() == systems_->nz()) return;
  throw std::invalid_argument(
      fmt::format("z of the state has {} numbers, the systems have {}", state.z.size(), systems_->nz()));
}

Status SystemEvaluator::evaluate_entry(size_t index, const State& state, SystemTerms& terms) {
  const SystemEntry& entry = systems_->entries()[index];
  const Model& model = systems_->model();
  const SystemInput input = input_of(entry, model, state);
  terms.g.setZero(model.nv);
  terms.h.setZero(entry.nz);
  entry.system->output(input, memory_[index].scratch.get(), terms.g);
  if (entry.nz > 0) entry.system->derivative(input, memory_[index].scratch.get(), terms.h);
  // A state that is no number already is the motion's fault, which the method reports.
  if (!state.q.allFinite() || !state.v.allFinite()) return {};
  if (!terms.g.allFinite()) return not_finite(*entry.system, state.time, "the output", kLookAtOutput);
  if (!terms.h.allFinite()) return not_finite(*entry.system, state.time, "the derivative", kLookAtDerivative);
  return {};
}

Status SystemEvaluator::evaluate(const State& state, std::vector<SystemTerms>& terms) {
  const std::vector<SystemEntry>& entries = systems_->entries();
  require_states(state);
  terms.resize(entries.size());
  moved_ = state;
  for (size_t i = 0; i < entries.size(); ++i) {
    const SystemEntry& entry = entries[i];
    if (Status status = evaluate_entry(i, state, terms[i]); !status.ok()) return status;
    if (!entry.implicit) continue;
    SystemJacobians& jacobians = terms[i].jacobians;
    jacobians.set_zero(static_cast<int>(entry.dofs.size()), entry.nz);
    const bool given =
        entry.system->jacobians(input_of(entry, systems_->model(), state), memory_[i].scratch.get(), jacobians);
    if (given && !all_finite(jacobians))
      return not_finite(*entry.system, state.time, "a Jacobian", "look at its function of Jacobians");
    if (given) continue;
    if (Status status = difference(i, terms[i], jacobians); !status.ok()) return status;
  }
  return {};
}

// Column of the Jacobians from the state that moved_ holds, `step` away from the one of the terms. False if it is not
// finite.
bool SystemEvaluator::difference_column(size_t index, const SystemTerms& terms, double step, Eigen::Index column,
                                        MatrixXd& g_x, MatrixXd& h_x) {
  const SystemEntry& entry = systems_->entries()[index];
  const SystemInput input = input_of(entry, systems_->model(), moved_);
  VectorXd &g = memory_[index].terms.g, &h = memory_[index].terms.h;
  g.setZero(terms.g.size());
  h.setZero(terms.h.size());
  entry.system->output(input, memory_[index].scratch.get(), g);
  if (entry.nz > 0) entry.system->derivative(input, memory_[index].scratch.get(), h);
  for (size_t i = 0; i < entry.dofs.size(); ++i) {
    const int v = entry.dofs[i].v;
    g_x(static_cast<Eigen::Index>(i), column) = (g[v] - terms.g[v]) / step;
  }
  h_x.col(column) = (h - terms.h) / step;
  return g_x.col(column).allFinite() && h_x.col(column).allFinite();
}

// Forward differences, once a preparation: 2 n + nz evaluations. Where the function ends (a square root at 0),
// backward.
Status SystemEvaluator::difference(size_t index, const SystemTerms& terms, SystemJacobians& out) {
  const SystemEntry& entry = systems_->entries()[index];
  const Model& model = systems_->model();
  const auto try_both = [&](auto&& move, auto&& restore, double step, Eigen::Index column, MatrixXd& g_x,
                            MatrixXd& h_x) {
    bool done = false;
    for (double signed_step : {step, -step}) {
      move(signed_step);
      done = difference_column(index, terms, signed_step, column, g_x, h_x);
      restore();
      if (done) break;
    }
    return done;
  };
  bool finite = true;
  tangent_.setZero(model.nv);
  own_q_ = moved_.q;
  for (size_t i = 0; i < entry.dofs.size(); ++i) {
    const int v = entry.dofs[i].v;
    const auto column = static_cast<Eigen::Index>(i);
    finite = finite && try_both(
                           [&](double step) {
                             tangent_[v] = step;
                             integrate(model, own_q_, tangent_, moved_.q);
                           },
                           [&] {
                             tangent_[v] = 0;
                             moved_.q = own_q_;
                           },
                           kDifferenceStep, column, out.g_q, out.h_q);
    const double speed = moved_.v[v];
    finite = finite && try_both([&](double step) { moved_.v[v] = speed + step; }, [&] { moved_.v[v] = speed; },
                                kDifferenceStep * std::max(1.0, std::abs(speed)), column, out.g_v, out.h_v);
  }
  for (int k = 0; k < entry.nz; ++k) {
    const double z = moved_.z[entry.z_start + k];
    finite = finite && try_both([&](double step) { moved_.z[entry.z_start + k] = z + step; },
                                [&] { moved_.z[entry.z_start + k] = z; }, kDifferenceStep * std::max(1.0, std::abs(z)),
                                k, out.g_z, out.h_z);
  }
  if (finite || !moved_.q.allFinite() || !moved_.v.allFinite()) return {};
  return not_finite(*entry.system, moved_.time, "the output near the state",
                    "the controller is not defined on either side of it; give Jacobians, or make it explicit");
}

Status SystemEvaluator::evaluate(const State& state, VectorXd& tau, VectorXd& zdot) {
  require_states(state);
  zdot.resize(systems_->nz());
  const std::vector<SystemEntry>& entries = systems_->entries();
  for (size_t i = 0; i < entries.size(); ++i) {
    SystemTerms& terms = memory_[i].terms;
    if (Status status = evaluate_entry(i, state, terms); !status.ok()) return status;
    const VectorXd& limits = entries[i].limits;
    if (limits.size() > 0) terms.g = terms.g.cwiseMin(limits).cwiseMax(-limits);
    tau += terms.g;
    zdot.segment(entries[i].z_start, entries[i].nz) = terms.h;
  }
  return {};
}

bool SystemEvaluator::sample(State& state) {
  bool sampled = false;
  const std::vector<SystemEntry>& entries = systems_->entries();
  for (size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].system->is_tick(state.time)) continue;
    require_states(state);
    // Each sees the world as it was before the tick, whatever the order of the list.
    if (!sampled) moved_ = state;
    entries[i].system->sample(input_of(entries[i], systems_->model(), moved_), memory_[i].scratch.get(),
                              state.z.segment(entries[i].z_start, entries[i].nz));
    sampled = true;
  }
  return sampled;
}

}  // namespace stickslip
