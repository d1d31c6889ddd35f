#pragma once

#include <vector>

#include "stickslip/dynamics/equations_of_motion.h"
#include "stickslip/icf/contact_terms.h"
#include "stickslip/icf/problem.h"
#include "stickslip/icf/rows.h"

namespace stickslip {

// Sorts trees, contacts and rows into islands and fills in all of a Problem but the laws.
class ProblemBuilder {
 public:
  // `islands` false: everything is one island.
  explicit ProblemBuilder(const Model& model, bool islands = true);

  // `force`: nv, all that acts explicitly.
  void build(const EquationsOfMotion& equations, const State& state, const VectorXd& force,
             const ContactTermsList& contacts, const RowList& rows, double h, Problem& problem);

  // Velocities in the order of State::v, in the problem's order, and the other way round.
  void write_velocities(const EquationsOfMotion& equations, const Problem& problem, const VectorXd& state_v,
                        VectorXd& v) const;
  void read_velocities(const EquationsOfMotion& equations, const Problem& problem, const VectorXd& v,
                       VectorXd& state_v) const;
  // The same for forces: what does the same work on State::v.
  void read_forces(const EquationsOfMotion& equations, const Problem& problem, const VectorXd& f, VectorXd& tau) const;

  // Of a tree of the last problem built; -1 if it has no degrees of freedom.
  int node_of_tree(int tree) const { return node_of_tree_[tree]; }

 private:
  void join_trees(const ContactTermsList& contacts, const RowList& rows);
  int root_of(int tree);
  void join(int a, int b);
  void number_islands(Problem& problem);
  void place_nodes(const EquationsOfMotion& equations, const State& state, const VectorXd& force, double h,
                   Problem& problem);
  void place_free_node(const EquationsOfMotion& equations, const VectorXd& force, double h, const Node& node,
                       Problem& problem) const;
  void place_tree_node(const EquationsOfMotion& equations, const VectorXd& force, double h, const Node& node,
                       Problem& problem) const;
  void place_patches(const ContactTermsList& contacts, Problem& problem);
  void place_rows(const RowList& rows, Problem& problem);
  void place_edges(Problem& problem);

  const Model& model_;
  bool islands_ = true;
  std::vector<int> free_index_;      // of each tree: index into MassMatrix::free_bodies
  std::vector<int> parent_;          // union-find over trees
  std::vector<int> island_of_tree_;  // -1: a tree without degrees of freedom
  std::vector<int> node_of_tree_;
  std::vector<int> order_;  // patches by island
  std::vector<int> cursor_;
  struct Edge {
    int island, first, second, patch;
  };
  std::vector<Edge> edge_list_;
};

}  // namespace stickslip
