#pragma once

#include <cstdint>
#include <vector>

#include "stickslip/icf/carriers.h"
#include "stickslip/icf/contact_terms.h"
#include "stickslip/icf/node_terms.h"
#include "stickslip/icf/present_forces.h"
#include "stickslip/icf/problem.h"
#include "stickslip/icf/rows.h"

namespace stickslip {

// All that problems are built from, of one state.
struct ProblemTerms {
  const State& state;
  const EquationsOfMotion& equations;
  const VectorXd& force;  // nv, all that acts explicitly, less the bias
  const ContactTermsList& contacts;
  const RowList& rows;
  // Names contacts and rows: a builder that is asked for another step from the same ones need not sort them again.
  // 0: they have no name.
  std::uint64_t serial = 0;
};

// Sorts trees, contacts and rows into islands and fills in all of a Problem but the laws.
class ProblemBuilder {
 public:
  // `islands` false: everything is one island.
  explicit ProblemBuilder(const Model& model, bool islands = true);

  // One step of implicit Euler's rule, linearised: contacts and constraints act at its end, the rest at its start.
  //
  //   A = M + h (d + h k),   r = M v0 + h f        for joint damping d and stiffness k
  void build(const ProblemTerms& start, double h, Problem& problem);

  // One step of the trapezoid rule, for an `end` that an Euler step predicted and forces at the start.   CENIC (25)
  //
  //   A = (M0 + M1)/2 + h/2 (d + h k)
  //   r = (M0 + M1)/2 v0 + h/2 (f0 - d v0 + j0 + f1 + h k v1)
  //
  // f1 + h k v1 - h k v: springs at the end, stepped back from it at v1. Contacts and rows are those of the end, whose
  // laws are to be halved. The velocity of a lone free body is that of its centre of mass here, which turns with it,
  // and what changes is its momentum: A = M1, r = M0 v0 + ..., without the gyroscopic torque.
  void build_trapezoid(const ProblemTerms& start, const ProblemTerms& end, const PresentForces& j0, double h,
                       Problem& problem);

  const NodeTerms& node_terms() const { return node_terms_; }

  bool are_carriers_resolved() const { return carriers_.are_resolved(); }  // in the last Euler step built

  // Of a tree of the last problem built; -1 if it has no degrees of freedom.
  int node_of_tree(int tree) const { return node_of_tree_[tree]; }
  int island_of_tree(int tree) const { return island_of_tree_[tree]; }

 private:
  void join_trees(const ContactTermsList& contacts, const RowList& rows);
  int root_of(int tree);
  void join(int a, int b);
  void number_islands(Problem& problem);
  void place_all(const ContactTermsList& contacts, const RowList& rows, Problem& problem);
  void place_nodes(Problem& problem) const;
  void place_patches(const ContactTermsList& contacts, Problem& problem);
  void place_rows(const RowList& rows, Problem& problem);
  void place_edges(Problem& problem);

  const Model& model_;
  Carriers carriers_;
  bool islands_ = true;
  const Problem* placed_in_ = nullptr;  // what holds the contacts and rows of the serial
  std::uint64_t placed_serial_ = 0;     // 0: none
  NodeTerms node_terms_;
  std::vector<int> parent_;          // union-find over trees
  std::vector<int> island_of_tree_;  // -1: a tree without degrees of freedom
  std::vector<int> node_of_tree_;
  std::vector<int> order_;  // patches by island
  std::vector<int> cursor_;
  struct Edge {
    int island, first, second, patch;
  };
  std::vector<Edge> edge_list_;
  VectorXd start_force_, end_force_;
};

}  // namespace stickslip
