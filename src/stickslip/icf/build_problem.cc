#include "stickslip/icf/build_problem.h"

#include <algorithm>
#include <tuple>

#include "stickslip/math/pack.h"

namespace stickslip {

ProblemBuilder::ProblemBuilder(const Model& model, bool islands)
    : model_(model), islands_(islands), node_terms_(model) {}

int ProblemBuilder::root_of(int tree) {
  while (parent_[tree] != tree) tree = parent_[tree] = parent_[parent_[tree]];
  return tree;
}

// The smaller root wins, so that the result does not depend on the order of joining.
void ProblemBuilder::join(int a, int b) {
  a = root_of(a);
  b = root_of(b);
  if (a < b) parent_[b] = a;
  if (b < a) parent_[a] = b;
}

void ProblemBuilder::join_trees(const ContactTermsList& contacts, const RowList& rows) {
  parent_.resize(model_.trees.size());
  for (size_t i = 0; i < parent_.size(); ++i) parent_[i] = static_cast<int>(i);
  for (const PatchTerms& patch : contacts.patches) {
    if (patch.tree_a >= 0 && patch.tree_b >= 0) join(patch.tree_a, patch.tree_b);
  }
  const auto join_row = [&](const IndexRange& range) {
    for (int i = range.first + 1; i < range.end(); ++i) join(rows.entries[i - 1].tree, rows.entries[i].tree);
  };
  for (const LimitSpec& spec : rows.limits) join_row(spec.entries);
  for (const ForceSpec& spec : rows.forces) join_row(spec.entries);
  if (islands_) return;
  int first = -1;
  for (size_t i = 0; i < parent_.size(); ++i) {
    if (model_.trees[i].nv == 0) continue;
    if (first >= 0)
      join(first, static_cast<int>(i));
    else
      first = static_cast<int>(i);
  }
}

// Islands in the order of their first trees; the nodes of an island in the order of their trees.
void ProblemBuilder::number_islands(Problem& problem) {
  island_of_tree_.assign(model_.trees.size(), -1);
  problem.islands.clear();
  int nodes = 0;
  for (size_t i = 0; i < parent_.size(); ++i) {
    if (model_.trees[i].nv == 0) continue;
    const int root = root_of(static_cast<int>(i));
    if (island_of_tree_[root] < 0) {
      island_of_tree_[root] = static_cast<int>(problem.islands.size());
      problem.islands.emplace_back();
    }
    island_of_tree_[i] = island_of_tree_[root];
    ++problem.islands[island_of_tree_[i]].nodes.count;
    ++nodes;
  }
  problem.nodes.resize(static_cast<size_t>(nodes));
  int first = 0;
  cursor_.clear();
  for (Island& island : problem.islands) {
    island.nodes.first = first;
    cursor_.push_back(first);
    first += island.nodes.count;
  }
  node_of_tree_.assign(model_.trees.size(), -1);
  for (size_t i = 0; i < parent_.size(); ++i) {
    if (island_of_tree_[i] < 0) continue;
    const int node = cursor_[island_of_tree_[i]]++;
    node_of_tree_[i] = node;
    problem.nodes[node].tree = static_cast<int>(i);
    problem.nodes[node].size = model_.trees[i].nv;
  }
}

void ProblemBuilder::place_nodes(Problem& problem) const {
  int start = 0, A = 0;
  for (Node& node : problem.nodes) {
    node.start = start;
    node.A = A;
    start += node.size;
    A += node.size * node.size;
  }
  for (Island& island : problem.islands) {
    const Node &first = problem.nodes[island.nodes.first], &last = problem.nodes[island.nodes.end() - 1];
    island.start = first.start;
    island.size = last.start + last.size - first.start;
  }
  problem.A.resize(static_cast<size_t>(A));
  problem.r.resize(start);
}

void ProblemBuilder::place_patches(const ContactTermsList& contacts, Problem& problem) {
  const auto island_of = [&](const PatchTerms& patch) {
    const int tree = patch.tree_a >= 0 ? patch.tree_a : patch.tree_b;
    return tree >= 0 ? island_of_tree_[tree] : -1;
  };
  for (const PatchTerms& patch : contacts.patches) {
    const int island = island_of(patch);
    if (island >= 0) ++problem.islands[island].patches.count;
  }
  int first = 0;
  cursor_.clear();
  for (Island& island : problem.islands) {
    island.patches.first = first;
    cursor_.push_back(first);
    first += island.patches.count;
  }
  problem.patches.resize(static_cast<size_t>(first));
  order_.resize(static_cast<size_t>(first));
  for (size_t i = 0; i < contacts.patches.size(); ++i) {
    const int island = island_of(contacts.patches[i]);
    if (island >= 0) order_[cursor_[island]++] = static_cast<int>(i);
  }
  problem.columns = contacts.columns;
  problem.contacts.clear();
  problem.has_bias = std::any_of(contacts.contacts.begin(), contacts.contacts.end(),
                                 [](const ContactTerms& c) { return !c.placed.bias.isZero(0); });
  for (Island& island : problem.islands) {
    island.packs.first = static_cast<int>(problem.contacts.size()) / kPackSize;
    for (int i = island.patches.first; i < island.patches.end(); ++i) {
      const PatchTerms& terms = contacts.patches[order_[i]];
      Patch& patch = problem.patches[i];
      patch.a = terms.a;
      patch.b = terms.b;
      patch.a.node = terms.tree_a >= 0 ? node_of_tree_[terms.tree_a] : -1;
      patch.b.node = terms.tree_b >= 0 ? node_of_tree_[terms.tree_b] : -1;
      patch.first = static_cast<int>(problem.contacts.size());
      patch.count = terms.count;
      patch.edge = -1;
      patch.source = order_[i];
      for (int c = terms.first; c < terms.first + terms.count; ++c)
        problem.contacts.push_back(contacts.contacts[c].placed);
    }
    while (problem.contacts.size() % kPackSize != 0) problem.contacts.emplace_back();
    island.packs.count = static_cast<int>(problem.contacts.size()) / kPackSize - island.packs.first;
  }
}

namespace {

// Sorts rows by island, stably, and gives each island its range.
template <typename Specs>
void place_row_kind(const Specs& specs, const RowList& rows, const std::vector<int>& island_of_tree,
                    const std::vector<int>& node_of_tree, IndexRange Island::* range, Problem& problem,
                    std::vector<Row>& out) {
  out.resize(specs.size());
  const auto island_of = [&](const IndexRange& entries) {
    return entries.count > 0 ? island_of_tree[rows.entries[entries.first].tree] : -1;
  };
  for (const auto& spec : specs) {
    const int island = island_of(spec.entries);
    if (island >= 0) ++(problem.islands[island].*range).count;
  }
  int first = 0;
  for (Island& island : problem.islands) {
    (island.*range).first = first;
    first += (island.*range).count;
    (island.*range).count = 0;
  }
  out.resize(static_cast<size_t>(first));
  for (size_t i = 0; i < specs.size(); ++i) {
    const int island = island_of(specs[i].entries);
    if (island < 0) continue;
    IndexRange& own = problem.islands[island].*range;
    Row& row = out[own.first + own.count++];
    row = {static_cast<int>(problem.entries.size()), specs[i].entries.count, specs[i].bias, static_cast<int>(i)};
    for (int e = specs[i].entries.first; e < specs[i].entries.end(); ++e) {
      const TreeEntry& entry = rows.entries[e];
      problem.entries.push_back({node_of_tree[entry.tree], entry.dof, entry.value});
    }
  }
}

}  // namespace

void ProblemBuilder::place_rows(const RowList& rows, Problem& problem) {
  problem.entries.clear();
  place_row_kind(rows.limits, rows, island_of_tree_, node_of_tree_, &Island::limits, problem, problem.limit_rows);
  place_row_kind(rows.forces, rows, island_of_tree_, node_of_tree_, &Island::forces, problem, problem.force_rows);
}

// Each island's edges, sorted; a patch knows its own.
void ProblemBuilder::place_edges(Problem& problem) {
  edge_list_.clear();
  for (size_t i = 0; i < problem.islands.size(); ++i) {
    const Island& island = problem.islands[i];
    const auto add = [&](int a, int b, int patch) {
      const int base = island.nodes.first;
      edge_list_.push_back({static_cast<int>(i), std::min(a, b) - base, std::max(a, b) - base, patch});
    };
    for (int p = island.patches.first; p < island.patches.end(); ++p) {
      const Patch& patch = problem.patches[p];
      if (patch.a.node >= 0 && patch.b.node >= 0 && patch.a.node != patch.b.node) add(patch.a.node, patch.b.node, p);
    }
    const auto add_row = [&](const Row& row) {
      for (int k = row.first; k < row.first + row.count; ++k)
        for (int l = k + 1; l < row.first + row.count; ++l)
          if (problem.entries[k].node != problem.entries[l].node)
            add(problem.entries[k].node, problem.entries[l].node, -1);
    };
    for (int k = island.limits.first; k < island.limits.end(); ++k) add_row(problem.limit_rows[k]);
    for (int k = island.forces.first; k < island.forces.end(); ++k) add_row(problem.force_rows[k]);
  }
  const auto key = [](const Edge& e) { return std::tuple(e.island, e.first, e.second, e.patch); };
  const auto before = [&](const Edge& x, const Edge& y) { return key(x) < key(y); };
  if (!std::is_sorted(edge_list_.begin(), edge_list_.end(), before))
    std::sort(edge_list_.begin(), edge_list_.end(), before);
  problem.edges.clear();
  int last_island = -1;
  for (const Edge& edge : edge_list_) {
    Island& island = problem.islands[edge.island];
    const std::pair<int, int> nodes(edge.first, edge.second);
    if (edge.island != last_island) island.edges.first = static_cast<int>(problem.edges.size());
    if (edge.island != last_island || problem.edges.back() != nodes) {
      problem.edges.push_back(nodes);
      ++island.edges.count;
    }
    last_island = edge.island;
    if (edge.patch >= 0) problem.patches[edge.patch].edge = static_cast<int>(problem.edges.size()) - 1;
  }
}

void ProblemBuilder::place_all(const ContactTermsList& contacts, const RowList& rows, Problem& problem) {
  join_trees(contacts, rows);
  number_islands(problem);
  place_nodes(problem);
  place_patches(contacts, problem);
  place_rows(rows, problem);
  place_edges(problem);
}

void ProblemBuilder::build(const ProblemTerms& start, double h, Problem& problem) {
  problem.h = h;
  problem.is_trapezoid = false;
  const bool is_placed = start.serial != 0 && start.serial == placed_serial_ && placed_in_ == &problem;
  if (!is_placed) place_all(start.contacts, start.rows, problem);
  // Carriers change the contacts' bias.
  placed_serial_ = model_.motions.empty() ? start.serial : 0;
  placed_in_ = &problem;
  carriers_.add_mean_motion(model_, start.state, start.equations.kinematics, start.contacts, problem);
  node_terms_.write_velocities(start.equations, problem, start.state.v, problem.start);
  for (const Node& node : problem.nodes) {
    node_terms_.set_mass(start.equations, node, problem);
    node_terms_.set_momentum(node, problem);
    node_terms_.add_force(start.equations, start.force, node, h, problem);
    node_terms_.add_joint_terms(start.equations, node, h, 1, problem);
  }
}

void ProblemBuilder::build_trapezoid(const ProblemTerms& start, const ProblemTerms& end, const PresentForces& j0,
                                     double h, Problem& problem) {
  problem.h = h;
  problem.is_trapezoid = true;
  placed_serial_ = 0;
  place_all(end.contacts, end.rows, problem);
  std::fill(problem.A.begin(), problem.A.end(), 0.0);
  node_terms_.write_velocities(start.equations, problem, start.state.v, problem.start);
  start_force_ = start.force;
  end_force_ = end.force;
  for (const Link& link : model_.links) {
    if (link.damping == 0 && link.stiffness == 0) continue;
    const int count = velocity_count(link.kind);
    start_force_.segment(link.v_start, count) -= link.damping * start.state.v.segment(link.v_start, count);
    end_force_.segment(link.v_start, count) += h * link.stiffness * end.state.v.segment(link.v_start, count);
  }
  for (const Node& node : problem.nodes) {
    if (model_.trees[node.tree].is_free_body) {
      node_terms_.add_mass(end.equations, node, 1, problem);
      node_terms_.set_momentum(start.equations, node, problem);
    } else {
      for (const ProblemTerms* side : {&start, &end}) node_terms_.add_mass(side->equations, node, 0.5, problem);
      node_terms_.set_momentum(node, problem);
    }
    node_terms_.add_force(start.equations, start_force_, node, 0.5 * h, problem);
    node_terms_.add_force(end.equations, end_force_, node, 0.5 * h, problem);
    const int dof = model_.trees[node.tree].first_dof;
    for (const VectorXd* j : {&j0.contact, &j0.actuators, &j0.damping, &j0.springs})
      problem.r.segment(node.start, node.size) += 0.5 * h * j->segment(dof, node.size);
    node_terms_.add_joint_terms(end.equations, node, h, 0.5, problem);
  }
}

}  // namespace stickslip
