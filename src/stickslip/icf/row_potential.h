#pragma once

#include <vector>

#include "stickslip/icf/block_assembly.h"
#include "stickslip/icf/line_value.h"
#include "stickslip/icf/problem.h"

namespace stickslip {

// Rows of a problem under one kind of scalar law: NormalLaw<double> (one-sided: limits) or ClampLaw (springs, dampers,
// actuators, dry friction, loop closures). The same pieces as ContactPotential.
template <typename Law>
class RowPotential {
 public:
  std::vector<Law> laws;  // one a row; const during a solve

  void resize(const Problem& problem);

  void set_velocity(const Problem& problem, const Island& island, const double* v);
  void remember_start(const Island& island);
  void set_direction(const Problem& problem, const Island& island, const double* p);
  void move(const Island& island, double alpha);
  void add_gradient(const Problem& problem, const Island& island, double* g);
  LineValue along(const Island& island, double alpha) const;
  void compute_hessian(const Problem& problem, const Island& island, double caution);
  void add_hessian(const Problem& problem, const Island& island, BlockAssembly& H) const;
  void add_product(const Problem& problem, const Island& island, const double* x, double* y) const;

  // y += scale J' gamma of one row.
  void add_impulse(const Problem& problem, int row, double scale, double* y) const;

  double velocity(int row) const { return v_[row]; }
  double impulse(int row) const { return laws[row].impulse(v_[row]); }
  double bias(int row) const { return bias_[row]; }
  // Of the row without its bias, mean of the start and the end of the step.
  double mean_velocity(int row) const { return 0.5 * (start_[row] + v_[row]) - bias_[row]; }

 private:
  static const std::vector<Row>& rows(const Problem& problem);
  static IndexRange range(const Island& island);

  std::vector<double> v_, u_, stiffness_, start_, bias_;
  // Of each island, from its first row on: the rows that act anywhere on the way of a full Newton step, and how many.
  // Most limits of a robot are far away.
  std::vector<int> live_, live_count_;
};

}  // namespace stickslip
