#include "stickslip/math/block_pattern.h"

#include <algorithm>
#include <cassert>

#include "stickslip/math/pack.h"

namespace stickslip {
namespace {

// Wider panels are cut: a product's 48 x 48 factor B stays in the first cache.
constexpr int kWidestPanel = 48;

// Operations of a complete factor for each unknown, beyond which conjugate gradients with an incomplete one are
// cheaper. Measured on piles of spheres.
constexpr double kDearFactor = 15e3;

}  // namespace

void BlockPattern::analyze(std::span<const int> sizes, std::span<const std::pair<int, int>> edges, Fill fill) {
  if (analyzed_ && fill == asked_ && std::ranges::equal(sizes, sizes_) && std::ranges::equal(edges, edges_)) return;
  sizes_.assign(sizes.begin(), sizes.end());
  edges_.assign(edges.begin(), edges.end());
  asked_ = fill;
  fill_ = fill == Fill::kNone ? Fill::kNone : Fill::kComplete;
  analyzed_ = true;
  build_graph(edges);
  order_nodes();
  count_rows();
  if (asked_ == Fill::kAutomatic && is_dear()) {
    fill_ = Fill::kNone;
    order_nodes();
    count_rows();
  }
  form_panels();
  list_rows();
  place_panels();
  find_products();
}

void BlockPattern::build_graph(std::span<const std::pair<int, int>> edges) {
  const int n = static_cast<int>(sizes_.size());
  graph_begin_.assign(n + 1, 0);
  for (const auto& [i, j] : edges) {
    assert(i != j && i >= 0 && i < n && j >= 0 && j < n);
    ++graph_begin_[i];
    ++graph_begin_[j];
  }
  for (int i = 1; i <= n; ++i) graph_begin_[i] += graph_begin_[i - 1];
  graph_neighbours_.resize(2 * edges.size());
  graph_edges_.resize(2 * edges.size());
  const auto add = [&](int node, int neighbour, int edge) {  // from the end of the node's part down to its beginning
    const int at = --graph_begin_[node];
    graph_neighbours_[at] = neighbour;
    graph_edges_[at] = edge;
  };
  for (int edge = static_cast<int>(edges.size()) - 1; edge >= 0; --edge) {
    add(edges[edge].first, edges[edge].second, edge);
    add(edges[edge].second, edges[edge].first, edge);
  }
}

void BlockPattern::order_nodes() {
  if (fill_ == Fill::kComplete) {
    elimination_order_.minimum_degree(graph(), order_);
  } else {
    elimination_order_.reverse_cuthill_mckee(graph(), order_);
  }
  position_.resize(sizes_.size());
  unknowns_.resize(sizes_.size());
  unknown_count_ = 0;
  for (size_t i = 0; i < order_.size(); ++i) {
    position_[order_[i]] = static_cast<int>(i);
    unknowns_[order_[i]] = unknown_count_;
    unknown_count_ += sizes_[order_[i]];
  }
}

// Row i of L has the columns on the ways from i's earlier neighbours up the elimination tree. The first row found below
// a column's own is its parent. Without fill the neighbours alone.
void BlockPattern::count_rows() {
  const int n = static_cast<int>(order_.size());
  parent_.assign(n, -1);
  mark_.assign(n, -1);
  nodes_below_.assign(n, 0);
  rows_below_.assign(n, 0);
  for (int i = 0; i < n; ++i) {
    const int size = sizes_[order_[i]];
    mark_[i] = i;
    for (const int neighbour : neighbours(i)) {
      int j = position_[neighbour];
      if (j > i) continue;
      while (mark_[j] != i) {
        mark_[j] = i;
        ++nodes_below_[j];
        rows_below_[j] += size;
        if (fill_ == Fill::kNone) break;
        if (parent_[j] < 0) parent_[j] = i;
        j = parent_[j];
      }
    }
  }
}

bool BlockPattern::is_dear() const {
  double flops = 0;
  for (size_t i = 0; i < order_.size(); ++i) {
    const double columns = sizes_[order_[i]], rows = columns + rows_below_[i];
    flops += columns * rows * rows;
  }
  return flops > kDearFactor * unknown_count_;
}

// A column joins its predecessor's panel if it has the same rows below. To join columns of nearly the same rows, zeros
// and all, was tried: larger products did not pay for more of them.
void BlockPattern::form_panels() {
  const int n = static_cast<int>(order_.size());
  panels_.clear();
  first_.clear();
  last_.clear();
  panel_of_.resize(n);
  for (int j = 0; j < n; ++j) {
    const int size = sizes_[order_[j]];
    const int rows = size + rows_below_[j];
    const bool joins =
        j > 0 && parent_[j - 1] == j && rows_below_[j - 1] == rows && panels_.back().columns + size <= kWidestPanel;
    if (joins) {
      panels_.back().columns += size;
      last_.back() = j;
    } else {
      panels_.push_back({.rows = rows, .columns = size, .unknown = unknowns_[order_[j]]});
      first_.push_back(j);
      last_.push_back(j);
    }
    panel_of_[j] = static_cast<int>(panels_.size()) - 1;
  }
}

// As in count_rows, panel by panel.
void BlockPattern::list_rows() {
  const int n = static_cast<int>(order_.size());
  const int count = static_cast<int>(panels_.size());
  rows_begin_.assign(count + 1, 0);
  for (int s = 0; s < count; ++s) rows_begin_[s + 1] = rows_begin_[s] + nodes_below_[last_[s]];
  row_positions_.resize(rows_begin_[count]);
  next_row_.assign(rows_begin_.begin(), rows_begin_.end());
  mark_.assign(count, -1);
  for (int i = 0; i < n; ++i) {
    mark_[panel_of_[i]] = i;
    for (const int neighbour : neighbours(i)) {
      if (position_[neighbour] > i) continue;
      int s = panel_of_[position_[neighbour]];
      while (mark_[s] != i) {
        mark_[s] = i;
        row_positions_[next_row_[s]++] = i;
        if (fill_ == Fill::kNone) break;
        s = panel_of_[parent_[last_[s]]];
      }
    }
  }
}

void BlockPattern::place_panels() {
  row_offsets_.resize(row_positions_.size());
  segments_.clear();
  value_count_ = 0;
  flops_ = 0;
  for (size_t s = 0; s < panels_.size(); ++s) {
    Panel& panel = panels_[s];
    panel.stride = (panel.rows + kPackSize - 1) / kPackSize * kPackSize;
    panel.values = value_count_;
    value_count_ += static_cast<std::ptrdiff_t>(panel.stride) * panel.columns;
    flops_ += (panel.rows - 2. / 3 * panel.columns) * panel.columns * panel.columns;
    panel.segments_begin = static_cast<int>(segments_.size());
    int offset = panel.columns;
    for (int r = rows_begin_[s]; r < rows_begin_[s + 1]; ++r) {
      const int node = order_[row_positions_[r]];
      row_offsets_[r] = offset;
      offset += sizes_[node];
      if (r > rows_begin_[s] && row_positions_[r] == row_positions_[r - 1] + 1) {
        segments_.back().rows += sizes_[node];
      } else {
        segments_.push_back({unknowns_[node], sizes_[node]});
      }
    }
    panel.segments_end = static_cast<int>(segments_.size());
  }
}

void BlockPattern::find_products() {
  const int n = static_cast<int>(order_.size());
  const int count = static_cast<int>(panels_.size());
  updates_.clear();
  runs_.clear();
  diagonal_slots_.resize(n);
  off_diagonal_slots_.resize(edges_.size());
  waiting_.assign(count, -1);
  next_waiting_.resize(count);
  offset_of_.resize(n);
  located_.assign(n, -1);
  for (int target = 0; target < count; ++target) {
    locate_rows(target);
    panels_[target].updates_begin = static_cast<int>(updates_.size());
    for (int source = waiting_[target]; source >= 0;) {
      const int next = next_waiting_[source];
      add_updates(source, target);
      source = next;
    }
    panels_[target].updates_end = static_cast<int>(updates_.size());
    hand_on(target, rows_begin_[target]);
  }
}

// Where every row of the panel is, and so each block of the matrix in it.
void BlockPattern::locate_rows(int target) {
  const Panel& panel = panels_[target];
  int offset = 0;
  for (int j = first_[target]; j <= last_[target]; ++j) {
    offset_of_[j] = offset;
    located_[j] = target;
    offset += sizes_[order_[j]];
  }
  for (int r = rows_begin_[target]; r < rows_begin_[target + 1]; ++r) {
    offset_of_[row_positions_[r]] = row_offsets_[r];
    located_[row_positions_[r]] = target;
  }
  for (int j = first_[target]; j <= last_[target]; ++j) {
    const int node = order_[j];
    const std::ptrdiff_t column = panel.values + static_cast<std::ptrdiff_t>(panel.stride) * offset_of_[j];
    diagonal_slots_[node] = {column + offset_of_[j], panel.stride, false};
    for (int k = graph_begin_[node]; k < graph_begin_[node + 1]; ++k) {
      const int i = position_[graph_neighbours_[k]];
      if (i < j) continue;
      const int edge = graph_edges_[k];
      off_diagonal_slots_[edge] = {column + offset_of_[i], panel.stride, edges_[edge].first == node};
    }
  }
}

// The source's rows among the target's columns, as runs of columns side by side.
void BlockPattern::add_updates(int source, int target) {
  const int end = rows_begin_[source + 1];
  int row = next_row_[source];
  while (row < end && row_positions_[row] <= last_[target]) {
    const int first = row;
    int columns = 0;
    do {
      columns += sizes_[order_[row_positions_[row]]];
      ++row;
    } while (row < end && row_positions_[row] <= last_[target] && row_positions_[row] == row_positions_[row - 1] + 1);
    add_runs(source, first, columns, target);
  }
  hand_on(source, row);
}

void BlockPattern::add_runs(int source, int first_row, int columns, int target) {
  const Panel& from = panels_[source];
  const Panel& to = panels_[target];
  const int source_offset = row_offsets_[first_row];
  const int target_offset = offset_of_[row_positions_[first_row]];
  const int begin = static_cast<int>(runs_.size());
  for (int r = first_row; r < rows_begin_[source + 1]; ++r) {
    const int position = row_positions_[r];
    if (located_[position] != target) continue;  // fill that is left out
    const Run run{row_offsets_[r] - source_offset, offset_of_[position] - target_offset, sizes_[order_[position]]};
    flops_ += 2. * run.rows * columns * from.columns;
    const bool adjacent = static_cast<int>(runs_.size()) > begin &&
                          run.source_row == runs_.back().source_row + runs_.back().rows &&
                          run.target_row == runs_.back().target_row + runs_.back().rows;
    if (adjacent) {
      runs_.back().rows += run.rows;
    } else {
      runs_.push_back(run);
    }
  }
  flops_ -= 1. * columns * columns * from.columns;
  updates_.push_back({.source = from.values + source_offset,
                      .target = to.values + static_cast<std::ptrdiff_t>(to.stride) * target_offset + target_offset,
                      .source_stride = from.stride,
                      .target_stride = to.stride,
                      .columns = columns,
                      .depth = from.columns,
                      .runs_begin = begin,
                      .runs_end = static_cast<int>(runs_.size())});
}

void BlockPattern::hand_on(int source, int first_row) {
  next_row_[source] = first_row;
  if (first_row == rows_begin_[source + 1]) return;
  int& waiting = waiting_[panel_of_[row_positions_[first_row]]];
  next_waiting_[source] = waiting;
  waiting = source;
}

}  // namespace stickslip
