#include "stickslip/icf/row_potential.h"

#include <algorithm>
#include <type_traits>

#include "stickslip/contact/clamp_law.h"
#include "stickslip/contact/normal_law.h"

namespace stickslip {
namespace {

double product(const Problem& problem, const Row& row, const double* x) {
  double sum = 0;
  for (int i = row.first; i < row.first + row.count; ++i) {
    const RowEntry& entry = problem.entries[i];
    sum += entry.value * x[problem.nodes[entry.node].start + entry.dof];
  }
  return sum;
}

void add_scaled(const Problem& problem, const Row& row, double scale, double* y) {
  for (int i = row.first; i < row.first + row.count; ++i) {
    const RowEntry& entry = problem.entries[i];
    y[problem.nodes[entry.node].start + entry.dof] += scale * entry.value;
  }
}

// The edge between two nodes of the island. Rows that join nodes are few.
const BlockSlot& slot_between(const Problem& problem, const Island& island, int a, int b, const BlockAssembly& H) {
  const std::pair<int, int> wanted(a - island.nodes.first, b - island.nodes.first);
  const auto begin = problem.edges.begin() + island.edges.first, end = begin + island.edges.count;
  return H.off_diagonal[std::lower_bound(begin, end, wanted) - begin];
}

void add_row_block(const Problem& problem, const Island& island, const Row& row, double stiffness, BlockAssembly& H) {
  for (int i = row.first; i < row.first + row.count; ++i) {
    for (int j = row.first; j < row.first + row.count; ++j) {
      const RowEntry &a = problem.entries[i], &b = problem.entries[j];
      if (a.node > b.node) continue;
      const BlockSlot& slot =
          a.node == b.node ? H.diagonal[a.node - island.nodes.first] : slot_between(problem, island, a.node, b.node, H);
      *slot.entry(a.dof, b.dof) += stiffness * a.value * b.value;
    }
  }
}

}  // namespace

template <typename Law>
const std::vector<Row>& RowPotential<Law>::rows(const Problem& problem) {
  if constexpr (std::is_same_v<Law, ClampLaw>)
    return problem.force_rows;
  else
    return problem.limit_rows;
}

template <typename Law>
IndexRange RowPotential<Law>::range(const Island& island) {
  if constexpr (std::is_same_v<Law, ClampLaw>)
    return island.forces;
  else
    return island.limits;
}

template <typename Law>
void RowPotential<Law>::resize(const Problem& problem) {
  const size_t count = rows(problem).size();
  laws.resize(count);
  v_.resize(count);
  u_.resize(count);
  stiffness_.resize(count);
  start_.resize(count);
  bias_.resize(count);
  live_.resize(count);
  live_count_.resize(count);
}

template <typename Law>
void RowPotential<Law>::set_velocity(const Problem& problem, const Island& island, const double* v) {
  const IndexRange own = range(island);
  for (int i = own.first; i < own.end(); ++i) {
    const Row& row = rows(problem)[i];
    bias_[i] = row.bias;
    v_[i] = product(problem, row, v) + row.bias;
  }
}

template <typename Law>
void RowPotential<Law>::remember_start(const Island& island) {
  const IndexRange own = range(island);
  for (int i = own.first; i < own.end(); ++i) start_[i] = v_[i];
}

template <typename Law>
void RowPotential<Law>::set_direction(const Problem& problem, const Island& island, const double* p) {
  const IndexRange own = range(island);
  if (own.count == 0) return;
  int count = 0;
  for (int i = own.first; i < own.end(); ++i) {
    u_[i] = product(problem, rows(problem)[i], p);
    if (!laws[i].is_silent(v_[i]) || !laws[i].is_silent(v_[i] + u_[i])) live_[own.first + count++] = i;
  }
  live_count_[own.first] = count;
}

template <typename Law>
void RowPotential<Law>::move(const Island& island, double alpha) {
  const IndexRange own = range(island);
  for (int i = own.first; i < own.end(); ++i) v_[i] += alpha * u_[i];
}

template <typename Law>
void RowPotential<Law>::add_gradient(const Problem& problem, const Island& island, double* g) {
  const IndexRange own = range(island);
  for (int i = own.first; i < own.end(); ++i) {
    const double impulse = laws[i].impulse(v_[i]);
    if (impulse != 0) add_scaled(problem, rows(problem)[i], -impulse, g);
  }
}

template <typename Law>
void RowPotential<Law>::add_impulse(const Problem& problem, int row, double scale, double* y) const {
  add_scaled(problem, rows(problem)[row], scale * impulse(row), y);
}

template <typename Law>
LineValue RowPotential<Law>::along(const Island& island, double alpha) const {
  LineValue value;
  const IndexRange own = range(island);
  const auto add = [&](int i) {
    const double v = v_[i] + alpha * u_[i];
    value.slope -= laws[i].impulse(v) * u_[i];
    value.curvature += laws[i].stiffness(v) * u_[i] * u_[i];
  };
  if (own.count == 0) return value;
  if (alpha > 1) {
    for (int i = own.first; i < own.end(); ++i) add(i);
  } else {
    for (int k = 0; k < live_count_[own.first]; ++k) add(live_[own.first + k]);
  }
  return value;
}

template <typename Law>
void RowPotential<Law>::compute_hessian(const Problem& /*problem*/, const Island& island, double /*caution*/) {
  const IndexRange own = range(island);
  for (int i = own.first; i < own.end(); ++i) stiffness_[i] = laws[i].stiffness(v_[i]);
}

template <typename Law>
void RowPotential<Law>::add_hessian(const Problem& problem, const Island& island, BlockAssembly& H) const {
  const IndexRange own = range(island);
  for (int i = own.first; i < own.end(); ++i) {
    if (stiffness_[i] != 0) add_row_block(problem, island, rows(problem)[i], stiffness_[i], H);
  }
}

template <typename Law>
void RowPotential<Law>::add_product(const Problem& problem, const Island& island, const double* x, double* y) const {
  const IndexRange own = range(island);
  for (int i = own.first; i < own.end(); ++i) {
    const Row& row = rows(problem)[i];
    if (stiffness_[i] != 0) add_scaled(problem, row, stiffness_[i] * product(problem, row, x), y);
  }
}

template class RowPotential<NormalLaw<double>>;
template class RowPotential<ClampLaw>;

}  // namespace stickslip
