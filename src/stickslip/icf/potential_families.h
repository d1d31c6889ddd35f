#pragma once

#include <concepts>
#include <tuple>

#include "stickslip/contact/clamp_law.h"
#include "stickslip/contact/normal_law.h"
#include "stickslip/icf/contact_potential.h"
#include "stickslip/icf/row_potential.h"

namespace stickslip {

// What Newton's method asks of a family of potentials.
template <typename P>
concept Potential = requires(P p, const P& c, const Problem& problem, const Island& island, const double* x, double* y,
                             double alpha, BlockAssembly& H) {
  p.resize(problem);
  p.set_velocity(problem, island, x);
  p.remember_start(island);
  p.set_direction(problem, island, x);
  p.move(island, alpha);
  p.add_gradient(problem, island, y);
  { c.along(island, alpha) } -> std::same_as<LineValue>;
  p.compute_hessian(problem, island, alpha);
  c.add_hessian(problem, island, H);
  c.add_product(problem, island, x, y);
};

// Every family: a new one is one line here.
template <template <typename> class ContactLaw>
using Potentials = std::tuple<ContactPotential<ContactLaw>, RowPotential<NormalLaw<double>>, RowPotential<ClampLaw>>;

template <typename Families, typename Visit>
void for_each_potential(Families& families, Visit&& visit) {
  std::apply([&](auto&... family) { (visit(family), ...); }, families);
}

}  // namespace stickslip
