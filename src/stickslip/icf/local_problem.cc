#include "stickslip/icf/local_problem.h"

#include <algorithm>
#include <numeric>

#include "stickslip/contact/anchored_model.h"
#include "stickslip/contact/lagged_model.h"
#include "stickslip/contact/sap_model.h"
#include "stickslip/contact/similar_model.h"
#include "stickslip/icf/contact_laws.h"
#include "stickslip/icf/patch_motion.h"

namespace stickslip {

template <template <typename> class ContactLaw>
int LocalProblem<ContactLaw>::root_of(int node) {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

// Chosen nodes that touch belong together; islands in the order of their first nodes.
template <template <typename> class ContactLaw>
void LocalProblem<ContactLaw>::find_islands(const Problem& whole, const Island& island,
                                            std::span<const char> is_chosen) {
  const int count = island.nodes.count;
  first_node_ = island.nodes.first;
  parent_.resize(static_cast<size_t>(count));
  std::iota(parent_.begin(), parent_.end(), 0);
  for (int i = island.edges.first; i < island.edges.end(); ++i) {
    const auto [a, b] = whole.edges[i];
    if (!is_chosen[a] || !is_chosen[b]) continue;
    const int root_a = root_of(a), root_b = root_of(b);
    parent_[std::max(root_a, root_b)] = std::min(root_a, root_b);
  }
  order_.clear();
  problem.islands.clear();
  local_.assign(static_cast<size_t>(count), -1);
  for (int i = 0; i < count; ++i) {
    if (!is_chosen[i]) continue;
    const int root = root_of(i);  // never after i
    if (root == i) {
      local_[i] = static_cast<int>(problem.islands.size());
      problem.islands.emplace_back();
    }
    order_.push_back({local_[root], i});
  }
  std::sort(order_.begin(), order_.end());
}

template <template <typename> class ContactLaw>
void LocalProblem<ContactLaw>::place_nodes(const Problem& whole, const VectorXd& v_all) {
  problem.nodes.clear();
  problem.A.clear();
  island_of_.clear();
  whole_node_.clear();
  int size = 0;
  for (const auto& [island, i] : order_) {
    const Node& from = whole.nodes[first_node_ + i];
    Island& here = problem.islands[island];
    if (here.nodes.count == 0) {
      here.nodes.first = static_cast<int>(problem.nodes.size());
      here.start = size;
    }
    local_[i] = static_cast<int>(problem.nodes.size());
    island_of_.push_back(island);
    whole_node_.push_back(first_node_ + i);
    problem.nodes.push_back({from.tree, size, from.size, static_cast<int>(problem.A.size())});
    problem.A.insert(problem.A.end(), whole.A.begin() + from.A, whole.A.begin() + from.A + from.size * from.size);
    ++here.nodes.count;
    here.size += from.size;
    size += from.size;
  }
  for (VectorXd* x : {&problem.r, &problem.start, &v})
    if (x->size() < size) x->resize(size);  // Eigen would allocate at each change of size
  for (size_t i = 0; i < problem.nodes.size(); ++i) {
    const Node &to = problem.nodes[i], &from = whole.nodes[whole_node_[i]];
    problem.r.segment(to.start, to.size) = whole.r.segment(from.start, from.size);
    problem.start.segment(to.start, to.size) = whole.start.segment(from.start, from.size);
    v.segment(to.start, to.size) = v_all.segment(from.start, from.size);
  }
}

template <template <typename> class ContactLaw>
void LocalProblem<ContactLaw>::place_edges(const Problem& whole, const Island& island) {
  edges_.clear();
  for (int i = island.edges.first; i < island.edges.end(); ++i) {
    const int a = local_[whole.edges[i].first], b = local_[whole.edges[i].second];
    if (a < 0 || b < 0) continue;
    const int base = problem.islands[island_of_[a]].nodes.first;
    edges_.push_back({island_of_[a], std::min(a, b) - base, std::max(a, b) - base, i - island.edges.first});
  }
  std::sort(edges_.begin(), edges_.end());
  problem.edges.clear();
  edge_here_.assign(static_cast<size_t>(island.edges.count), -1);
  for (const PlacedEdge& edge : edges_) {
    IndexRange& range = problem.islands[edge.island].edges;
    const int index = static_cast<int>(problem.edges.size());
    if (range.count++ == 0) range.first = index;
    edge_here_[edge.source] = index;
    problem.edges.emplace_back(edge.first, edge.second);
  }
}

template <template <typename> class ContactLaw>
PatchSide LocalProblem<ContactLaw>::placed_side(const Problem& whole, const PatchSide& side) {
  PatchSide placed = side;
  placed.node = local(side.node);
  placed.first = static_cast<int>(problem.columns.size());
  problem.columns.insert(problem.columns.end(), whole.columns.begin() + side.first,
                         whole.columns.begin() + side.first + side.count);
  return placed;
}

template <template <typename> class ContactLaw>
void LocalProblem<ContactLaw>::place_patches(const Problem& whole, const Island& island, const VectorXd& v_all) {
  order_.clear();
  for (int i = island.patches.first; i < island.patches.end(); ++i) {
    const int node = std::max(local(whole.patches[i].a.node), local(whole.patches[i].b.node));
    if (node >= 0) order_.push_back({island_of_[node], i});
  }
  std::sort(order_.begin(), order_.end());
  problem.patches.clear();
  problem.columns.clear();
  problem.contacts.clear();
  contact_source_.clear();
  auto next = order_.begin();
  for (size_t k = 0; k < problem.islands.size(); ++k) {
    Island& here = problem.islands[k];
    here.patches.first = static_cast<int>(problem.patches.size());
    here.packs.first = static_cast<int>(problem.contacts.size()) / kPackSize;
    for (; next != order_.end() && next->island == static_cast<int>(k); ++next) {
      const Patch& from = whole.patches[next->source];
      Patch patch = from;
      patch.a = placed_side(whole, from.a);
      patch.b = placed_side(whole, from.b);
      patch.first = static_cast<int>(problem.contacts.size());
      patch.edge = from.edge >= 0 ? edge_here_[from.edge - island.edges.first] : -1;
      Twist held;  // what moves though it is not solved for
      if (patch.b.node < 0) held = side_twist(whole, from.b, v_all.data());
      if (patch.a.node < 0) {
        const Twist a = side_twist(whole, from.a, v_all.data());
        held.linear -= a.linear;
        held.angular -= a.angular;
      }
      for (int c = from.first; c < from.first + from.count; ++c) {
        PatchContact contact = whole.contacts[c];
        contact.bias += contact.frame.transpose() * (held.linear + held.angular.cross(contact.arm));
        problem.contacts.push_back(contact);
        contact_source_.push_back(c);
      }
      problem.patches.push_back(patch);
    }
    while (problem.contacts.size() % kPackSize != 0) {
      problem.contacts.emplace_back();
      contact_source_.push_back(-1);
    }
    here.patches.count = static_cast<int>(problem.patches.size()) - here.patches.first;
    here.packs.count = static_cast<int>(problem.contacts.size()) / kPackSize - here.packs.first;
  }
}

template <template <typename> class ContactLaw>
void LocalProblem<ContactLaw>::set_contact_laws(const ContactPotential<ContactLaw>& laws) {
  auto& contacts = std::get<0>(potentials);
  contacts.resize(problem);
  for (size_t i = 0; i < contact_source_.size(); ++i) {
    const int c = contact_source_[i];
    const auto law = c >= 0 ? get_lane<ContactLaw>(laws.laws[c / kPackSize], c % kPackSize) : ContactLaw<double>();
    set_lane<ContactLaw>(contacts.laws[i / kPackSize], static_cast<int>(i % kPackSize), law);
  }
}

template <template <typename> class ContactLaw>
template <typename Law>
void LocalProblem<ContactLaw>::place_rows(const Problem& whole, IndexRange range, const std::vector<Row>& rows,
                                          const RowPotential<Law>& laws, const VectorXd& v_all,
                                          IndexRange Island::* placed_range, std::vector<Row>& placed,
                                          RowPotential<Law>& placed_laws) {
  order_.clear();
  for (int i = range.first; i < range.end(); ++i) {
    int node = -1;
    for (int e = rows[i].first; e < rows[i].first + rows[i].count; ++e)
      node = std::max(node, local(whole.entries[e].node));
    if (node >= 0) order_.push_back({island_of_[node], i});
  }
  std::sort(order_.begin(), order_.end());
  placed.clear();
  for (const auto& [island, source] : order_) {
    Row row = rows[source];
    row.first = static_cast<int>(problem.entries.size());
    for (int e = rows[source].first; e < rows[source].first + rows[source].count; ++e) {
      const RowEntry& entry = whole.entries[e];
      if (const int node = local(entry.node); node >= 0)
        problem.entries.push_back({node, entry.dof, entry.value});
      else
        row.bias += entry.value * v_all[whole.nodes[entry.node].start + entry.dof];
    }
    row.count = static_cast<int>(problem.entries.size()) - row.first;
    IndexRange& own = problem.islands[island].*placed_range;
    if (own.count++ == 0) own.first = static_cast<int>(placed.size());
    placed.push_back(row);
  }
  placed_laws.resize(problem);
  for (size_t i = 0; i < order_.size(); ++i) placed_laws.laws[i] = laws.laws[order_[i].source];
}

template <template <typename> class ContactLaw>
void LocalProblem<ContactLaw>::build(const Problem& whole, const Island& island, const Potentials<ContactLaw>& laws,
                                     std::span<const char> is_chosen, const VectorXd& v_all) {
  problem.h = whole.h;
  problem.is_trapezoid = whole.is_trapezoid;
  find_islands(whole, island, is_chosen);
  place_nodes(whole, v_all);
  place_edges(whole, island);
  place_patches(whole, island, v_all);
  set_contact_laws(std::get<0>(laws));
  problem.entries.clear();
  place_rows(whole, island.limits, whole.limit_rows, std::get<1>(laws), v_all, &Island::limits, problem.limit_rows,
             std::get<1>(potentials));
  place_rows(whole, island.forces, whole.force_rows, std::get<2>(laws), v_all, &Island::forces, problem.force_rows,
             std::get<2>(potentials));
}

template <template <typename> class ContactLaw>
void LocalProblem<ContactLaw>::write_back(const Problem& whole, VectorXd& v_all) const {
  for (size_t i = 0; i < problem.nodes.size(); ++i) {
    const Node &from = problem.nodes[i], &to = whole.nodes[whole_node_[i]];
    v_all.segment(to.start, to.size) = v.segment(from.start, from.size);
  }
}

template class LocalProblem<LaggedModel>;
template class LocalProblem<AnchoredModel>;
template class LocalProblem<SimilarModel>;
template class LocalProblem<SapModel>;

}  // namespace stickslip
