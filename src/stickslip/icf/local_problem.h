#pragma once

#include <span>
#include <vector>

#include "stickslip/icf/potential_families.h"
#include "stickslip/icf/problem.h"

namespace stickslip {

// A few nodes of an island, to be solved while the others keep their velocities: the same convex problem, restricted.
// What the others move at contacts and rows becomes a bias. Nodes that do not touch each other fall into islands of
// their own.
template <template <typename> class ContactLaw>
class LocalProblem {
 public:
  Problem problem;
  Potentials<ContactLaw> potentials;
  VectorXd v;  // of the chosen nodes; may be longer than they need

  // `is_chosen`: of each node of the island, counted within it. v_all: of all nodes.
  void build(const Problem& whole, const Island& island, const Potentials<ContactLaw>& laws,
             std::span<const char> is_chosen, const VectorXd& v_all);

  // Writes v to its place among all nodes.
  void write_back(const Problem& whole, VectorXd& v_all) const;

 private:
  struct Placed {  // a patch or a row
    int island, source;
    friend auto operator<=>(const Placed&, const Placed&) = default;
  };
  struct PlacedEdge {
    int island, first, second, source;
    friend auto operator<=>(const PlacedEdge&, const PlacedEdge&) = default;
  };

  int root_of(int node);
  void find_islands(const Problem& whole, const Island& island, std::span<const char> is_chosen);
  void place_nodes(const Problem& whole, const VectorXd& v_all);
  void place_edges(const Problem& whole, const Island& island);
  void place_patches(const Problem& whole, const Island& island, const VectorXd& v_all);
  PatchSide placed_side(const Problem& whole, const PatchSide& side);
  void set_contact_laws(const ContactPotential<ContactLaw>& laws);
  template <typename Law>
  void place_rows(const Problem& whole, IndexRange range, const std::vector<Row>& rows, const RowPotential<Law>& laws,
                  const VectorXd& v_all, IndexRange Island::* placed_range, std::vector<Row>& placed,
                  RowPotential<Law>& placed_laws);
  int local(int node) const { return node >= 0 ? local_[node - first_node_] : -1; }

  int first_node_ = 0;               // of the whole's island
  std::vector<int> parent_;          // of each node of the whole's island: union-find; -1: not chosen
  std::vector<int> local_;           // its index here; -1: not chosen
  std::vector<int> island_of_;       // of each node here
  std::vector<int> whole_node_;      // of each node here
  std::vector<Placed> order_;        // patches or rows by island
  std::vector<PlacedEdge> edges_;    // by island
  std::vector<int> edge_here_;       // of each edge of the whole's island
  std::vector<int> contact_source_;  // of each contact here: its index in the whole; -1: fills up a pack
};

}  // namespace stickslip
