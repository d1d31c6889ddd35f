#include "stickslip/systems/linearize_systems.h"

#include <algorithm>

namespace stickslip {
namespace {

bool is_limited(const SystemDof& dof) { return dof.limit < kInfinity; }

}  // namespace

SystemLinearizer::SystemLinearizer(std::shared_ptr<const SystemList> systems)
    : systems_(std::move(systems)), place_of_tree_(systems_->model().trees.size(), -1) {
  for (const SystemEntry& entry : systems_->entries()) {
    memory_.emplace_back();
    if (!entry.implicit) continue;
    for (const SystemDof& dof : entry.dofs) {
      if (is_limited(dof)) limited_.push_back({.v = dof.v, .limit = dof.limit});
      if (is_limited(dof) || place_of_tree_[dof.tree] >= 0) continue;
      place_of_tree_[dof.tree] = static_cast<int>(trees_.size());
      trees_.push_back(dof.tree);
      tree_memory_.emplace_back().diagonal.setZero(systems_->model().trees[dof.tree].nv);
    }
  }
}

// What acts at the start of the step, within its limits.
void SystemLinearizer::add_explicit(const SystemEntry& entry, const SystemTerms& terms, LinearSystems& out) const {
  if (entry.limits.size() > 0)
    out.d += terms.g.cwiseMin(entry.limits).cwiseMax(-entry.limits);
  else
    out.d += terms.g;
}

// (1 - h dh/dz) (z - z0) = h (h~ + (dh/dv + h dh/dq) (v - v0))        CENIC (27)
void SystemLinearizer::respond(size_t index, const SystemTerms& terms, double h, StateResponse& out) {
  const SystemEntry& entry = systems_->entries()[index];
  if (!entry.implicit) {
    out.shift = h * terms.h;
    return;
  }
  const SystemJacobians& x = terms.jacobians;
  SystemMemory& m = memory_[index];
  m.rate = terms.h + h * x.h_t;
  m.rate.noalias() += h * (x.h_q * m.v0);
  m.W = x.h_v + h * x.h_q;
  m.J = -h * x.h_z;
  m.J.diagonal().array() += 1;
  m.factor.compute(m.J);
  out.Z = m.factor.solve(m.W);
  out.Z *= h;
  out.shift = m.factor.solve(m.rate);
  out.shift *= h;
}

void SystemLinearizer::add_implicit(size_t index, const SystemTerms& terms, double h, const StateResponse& response,
                                    LinearSystems& out) {
  const SystemEntry& entry = systems_->entries()[index];
  const VectorXd& v0 = memory_[index].v0;
  VectorXd& g = memory_[index].g;
  MatrixXd& G = memory_[index].G;
  const SystemJacobians& x = terms.jacobians;
  g = h * x.g_t;
  g.noalias() += h * (x.g_q * v0);
  G = -x.g_v - h * x.g_q;
  if (entry.nz > 0) {
    g.noalias() += x.g_z * response.shift;
    G.noalias() -= x.g_z * response.Z;
  }
  const auto n = static_cast<Eigen::Index>(entry.dofs.size());
  // Beyond the degrees of freedom that it names, a system acts explicitly; on them, g~(v0).
  add_explicit(entry, terms, out);
  for (Eigen::Index i = 0; i < n; ++i) {
    const SystemDof& row = entry.dofs[i];
    if (is_limited(row)) {
      // CENIC (29): d = g~(v0) + C v0
      LimitedDof& limited = out.limited[next_limited_++];
      limited.c = std::max(0.0, G(i, i));
      limited.d = terms.g[row.v] + g[i] + limited.c * v0[i];
      out.d[row.v] -= std::clamp(terms.g[row.v], -row.limit, row.limit);
      continue;
    }
    out.d[row.v] += g[i];
    const int place = place_of_tree_[row.tree];
    if (row.tree_limited) {
      tree_memory_[place].diagonal[row.dof] += std::max(0.0, G(i, i));
      continue;
    }
    // Coupling between trees stays explicit: each tree has a block of its own.
    for (Eigen::Index j = 0; j < n; ++j) {
      if (entry.dofs[j].tree == row.tree) out.feedback[place].C(row.dof, entry.dofs[j].dof) += G(i, j);
    }
  }
}

// A full block together with a clamp for each component has no potential: blocks where there are no limits, the
// diagonal elsewhere.
void SystemLinearizer::finish_feedback(const State& start, LinearSystems& out) {
  const Model& model = systems_->model();
  for (size_t i = 0; i < trees_.size(); ++i) {
    MatrixXd& C = out.feedback[i].C;
    tree_memory_[i].positive_part.project(C);
    C.diagonal() += tree_memory_[i].diagonal;
    const Tree& tree = model.trees[trees_[i]];
    for (int c = 0; c < tree.nv; ++c) {
      const double v = start.v[model.v_of_dof[tree.first_dof + c]];
      for (int r = 0; r < tree.nv; ++r) out.d[model.v_of_dof[tree.first_dof + r]] += C(r, c) * v;
    }
  }
}

void SystemLinearizer::linearize(const State& start, const std::vector<SystemTerms>& terms, double h,
                                 LinearSystems& out) {
  const Model& model = systems_->model();
  out.h = h;
  out.d.setZero(model.nv);
  out.limited = limited_;
  out.feedback_of_tree = place_of_tree_;
  out.feedback.resize(trees_.size());
  for (size_t i = 0; i < trees_.size(); ++i) {
    const int size = model.trees[trees_[i]].nv;
    out.feedback[i].tree = trees_[i];
    out.feedback[i].C.setZero(size, size);
    tree_memory_[i].diagonal.setZero();
  }
  const std::vector<SystemEntry>& entries = systems_->entries();
  out.responses.resize(entries.size());
  next_limited_ = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    const SystemEntry& entry = entries[i];
    VectorXd& v0 = memory_[i].v0;
    v0.resize(static_cast<Eigen::Index>(entry.dofs.size()));
    for (size_t k = 0; k < entry.dofs.size(); ++k) v0[static_cast<Eigen::Index>(k)] = start.v[entry.dofs[k].v];
    if (entry.nz > 0) respond(i, terms[i], h, out.responses[i]);
    if (entry.implicit)
      add_implicit(i, terms[i], h, out.responses[i], out);
    else
      add_explicit(entry, terms[i], out);
  }
  finish_feedback(start, out);
}

void SystemLinearizer::advance_z(const LinearSystems& linear, const State& start, const VectorXd& v,
                                 VectorXd& z) const {
  z = start.z;
  const std::vector<SystemEntry>& entries = systems_->entries();
  for (size_t i = 0; i < entries.size(); ++i) {
    const SystemEntry& entry = entries[i];
    if (entry.nz == 0) continue;
    auto own = z.segment(entry.z_start, entry.nz);
    own += linear.responses[i].shift;
    if (!entry.implicit) continue;
    for (size_t k = 0; k < entry.dofs.size(); ++k) {
      const int dof = entry.dofs[k].v;
      own += linear.responses[i].Z.col(static_cast<Eigen::Index>(k)) * (v[dof] - start.v[dof]);
    }
  }
}

void SystemLinearizer::read_force(const LinearSystems& linear, const VectorXd& v, VectorXd& tau) const {
  const Model& model = systems_->model();
  tau = linear.d;
  for (const TreeFeedback& feedback : linear.feedback) {
    const Tree& tree = model.trees[feedback.tree];
    const int* index = model.v_of_dof.data() + tree.first_dof;
    for (int c = 0; c < tree.nv; ++c)
      for (int r = 0; r < tree.nv; ++r) tau[index[r]] -= feedback.C(r, c) * v[index[c]];
  }
}

}  // namespace stickslip
