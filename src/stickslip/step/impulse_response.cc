#include "stickslip/step/impulse_response.h"

namespace stickslip {

void ImpulseResponse::begin(const Problem& problem) {
  if (factors_.size() < problem.nodes.size()) factors_.resize(problem.nodes.size());
  for (Factor& factor : factors_) factor.is_made = false;
}

void ImpulseResponse::respond(const Problem& problem, const NodeTerms& terms, const EquationsOfMotion& equations,
                              const VectorXd& impulse, VectorXd& v) {
  terms.write_forces(equations, problem, impulse, p_);
  for (size_t i = 0; i < problem.nodes.size(); ++i) {
    const Node& node = problem.nodes[i];
    auto own = p_.segment(node.start, node.size);
    if (own.isZero(0)) continue;
    Factor& factor = factors_[i];
    if (!factor.is_made) factor.llt.compute(problem.block(node));
    factor.is_made = true;
    factor.llt.solveInPlace(own);
  }
  v.setZero(impulse.size());
  terms.read_velocities(equations, problem, p_, v);
}

}  // namespace stickslip
