#pragma once

#include <Eigen/LU>
#include <vector>

#include "stickslip/systems/evaluate_systems.h"
#include "stickslip/systems/positive_part.h"

// External systems over one step h as a linear function of the velocities at its end, which convex steps can take in:
//
//   tau = -C v + d,  z = Z v + b        CENIC (26)-(29)
//
// Positions are eliminated by q = q0 (+) h v, to first order about the start, so that nothing is evaluated again for
// another h.
namespace stickslip {

// Linear feedback of one tree: symmetric, positive semidefinite.
struct TreeFeedback {
  int tree = 0;
  MatrixXd C;  // nv_t x nv_t, tree-local order
};

// One degree of freedom whose effort has a limit: tau = clamp(d - c v, -limit, limit).
struct LimitedDof {
  int v = 0;  // index into State::v
  double c = 0, d = 0, limit = 0;
};

// z at the end of the step: z0 + shift + Z (v - v0), which is CENIC (28) without its cancellation.
struct StateResponse {
  MatrixXd Z;      // nz x n
  VectorXd shift;  // nz
};

struct LinearSystems {
  double h = 0;
  std::vector<TreeFeedback> feedback;
  std::vector<int> feedback_of_tree;  // index into `feedback`; -1: none
  std::vector<LimitedDof> limited;
  VectorXd d;                            // nv, without the limited ones
  std::vector<StateResponse> responses;  // of each system
};

// Linearises the systems of a list, in memory of its own.
class SystemLinearizer {
 public:
  explicit SystemLinearizer(std::shared_ptr<const SystemList> systems);

  // Which degrees of freedom have limits, in the order of LinearSystems::limited; their numbers depend on h.
  const std::vector<LimitedDof>& limited() const { return limited_; }

  void linearize(const State& start, const std::vector<SystemTerms>& terms, double h, LinearSystems& out);

  // z at the end of the step.
  void advance_z(const LinearSystems& linear, const State& start, const VectorXd& v, VectorXd& z) const;

  // Forces of all unlimited systems at the end of the step: d - C v, nv.
  void read_force(const LinearSystems& linear, const VectorXd& v, VectorXd& tau) const;

 private:
  void add_explicit(const SystemEntry& entry, const SystemTerms& terms, LinearSystems& out) const;
  void respond(size_t index, const SystemTerms& terms, double h, StateResponse& out);
  void add_implicit(size_t index, const SystemTerms& terms, double h, const StateResponse& response,
                    LinearSystems& out);
  void finish_feedback(const State& start, LinearSystems& out);

  std::shared_ptr<const SystemList> systems_;
  std::vector<int> trees_;          // that have feedback
  std::vector<int> place_of_tree_;  // index into trees_; -1: none
  std::vector<LimitedDof> limited_;
  size_t next_limited_ = 0;
  // Memory for each system and each tree: it keeps its sizes.
  struct SystemMemory {
    VectorXd v0, rate, g;
    MatrixXd W, G, J;
    Eigen::PartialPivLU<MatrixXd> factor;
  };
  struct TreeMemory {
    VectorXd diagonal;  // what systems with limits add
    PositivePart positive_part;
  };
  std::vector<SystemMemory> memory_;
  std::vector<TreeMemory> tree_memory_;  // of trees with feedback
};

}  // namespace stickslip
