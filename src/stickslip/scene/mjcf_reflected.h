#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "stickslip/scene/mjcf_context.h"

namespace stickslip::mjcf {

// What joints feel of the bodies' masses in the reference configuration: m = 1 / (J M^-1 J'). MuJoCo defines spring
// time constants and damping ratios by it. Mass matrices are built tree by tree, when first asked for.
class ReflectedInertia {
 public:
  explicit ReflectedInertia(const Context& context);

  // For J = sum coefficient * (joint's position); a ball joint counts as the mean of its three axes.
  double along(const std::vector<std::pair<std::size_t, double>>& joints);

 private:
  struct Dof {
    std::size_t joint;
    std::size_t body;
    Vector6d axis;  // twist about the world's origin per unit velocity: angular, linear
  };
  struct Tree {
    std::vector<Dof> dofs;
    MatrixXd inverse;  // M^-1
  };

  Tree& tree_of(std::size_t joint);
  void add_dofs(std::size_t joint, Tree& tree) const;
  void invert(Tree& tree) const;
  std::size_t root_of(std::size_t body) const;

  const Context& context_;
  std::vector<int> parents_;                // of each body; -1: the world
  std::vector<Matrix6d> subtree_inertias_;  // spatial, about the world's origin, world axes
  std::map<std::size_t, Tree> trees_;       // by root body
};

}  // namespace stickslip::mjcf
