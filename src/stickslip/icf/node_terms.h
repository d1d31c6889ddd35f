#pragma once

#include <vector>

#include "stickslip/dynamics/equations_of_motion.h"
#include "stickslip/icf/problem.h"

namespace stickslip {

// What the smooth dynamics of a tree brings to its node of a problem, in the node's coordinates.
class NodeTerms {
 public:
  explicit NodeTerms(const Model& model);

  void set_mass(const EquationsOfMotion& equations, const Node& node, Problem& problem) const;                // A
  void add_mass(const EquationsOfMotion& equations, const Node& node, double scale, Problem& problem) const;  // A
  void set_momentum(const Node& node, Problem& problem) const;  // r = A v0
  // r = M v0 with the mass of the start, for a lone free body.
  void set_momentum(const EquationsOfMotion& start, const Node& node, Problem& problem) const;
  void add_force(const EquationsOfMotion& equations, const VectorXd& force, const Node& node, double scale,
                 Problem& problem) const;  // r; the force has the layout of State::v
  void add_joint_terms(const EquationsOfMotion& equations, const Node& node, double h, double scale,
                       Problem& problem) const;  // A += scale h (d + h k)

  // Velocities in the order of State::v, in the problem's order, and the other way round.
  void write_velocities(const EquationsOfMotion& equations, const Problem& problem, const VectorXd& state_v,
                        VectorXd& v) const;
  void read_velocities(const EquationsOfMotion& equations, const Problem& problem, const VectorXd& v,
                       VectorXd& state_v) const;
  // The same for forces: what does the same work on State::v.
  void write_forces(const EquationsOfMotion& equations, const Problem& problem, const VectorXd& tau, VectorXd& f) const;
  void read_forces(const EquationsOfMotion& equations, const Problem& problem, const VectorXd& f, VectorXd& tau) const;

 private:
  const Model& model_;
  std::vector<int> free_index_;  // of each tree: index into MassMatrix::free_bodies
};

}  // namespace stickslip
