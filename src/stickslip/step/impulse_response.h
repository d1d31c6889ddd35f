#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "stickslip/icf/node_terms.h"

namespace stickslip {

// What impulses on trees do to their velocities where no contact or constraint answers: v = A^-1 p of a problem that
// was solved, so that implicit damping and feedback do.
class ImpulseResponse {
 public:
  void begin(const Problem& problem);
  // Of `impulse` and `v` in the layout of State::v.
  void respond(const Problem& problem, const NodeTerms& terms, const EquationsOfMotion& equations,
               const VectorXd& impulse, VectorXd& v);

 private:
  struct Factor {
    bool is_made = false;
    Eigen::LLT<MatrixXd> llt;
  };
  std::vector<Factor> factors_;  // of each node that was pushed
  VectorXd p_;
};

}  // namespace stickslip
