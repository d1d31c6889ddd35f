#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "stickslip/math/elimination_order.h"

namespace stickslip {

// What a factor may hold beyond the blocks of its matrix: whatever elimination makes, or nothing. kAutomatic: nothing
// if the complete factor would cost more than the iterations that an incomplete one needs.
enum class Fill { kComplete, kNone, kAutomatic };

// Where the blocks of a factor L lie, and which products form them. Columns of nodes that follow each other in the
// order of elimination and have the same rows below make one panel: a dense matrix, column-major, whose first rows
// are the columns' own. A position is a node's place in the order of elimination.
class BlockPattern {
 public:
  struct Panel {
    std::ptrdiff_t values;             // its first number, among those of all panels
    int stride;                        // from column to column
    int rows;                          // [scalars], its own columns' first
    int columns;                       // [scalars]
    int unknown;                       // its first, of x in the order of elimination
    int updates_begin, updates_end;    // of updates()
    int segments_begin, segments_end;  // of segments()
  };

  // Rows below a panel's own columns, to be found in x.
  struct Segment {
    int unknown;
    int rows;
  };

  // Target -= A B', where B is some rows of an earlier panel and A runs of rows from B's first on.
  struct Update {
    std::ptrdiff_t source;  // B
    std::ptrdiff_t target;  // the first run's
    int source_stride, target_stride;
    int columns;  // rows of B
    int depth;    // columns of A and B
    int runs_begin, runs_end;
  };
  struct Run {
    int source_row, target_row;  // from the first of the update
    int rows;
  };

  struct Slot {
    std::ptrdiff_t values;
    int stride;
    bool transposed;
  };

  // Does nothing if the arguments are those of the last call.
  void analyze(std::span<const int> sizes, std::span<const std::pair<int, int>> edges, Fill fill);

  Fill fill() const { return fill_; }  // complete or none
  std::span<const int> sizes() const { return sizes_; }
  std::span<const Panel> panels() const { return panels_; }
  std::span<const Segment> segments() const { return segments_; }
  std::span<const Update> updates() const { return updates_; }
  std::span<const Run> runs() const { return runs_; }
  std::span<const Slot> diagonal_slots() const { return diagonal_slots_; }
  std::span<const Slot> off_diagonal_slots() const { return off_diagonal_slots_; }
  std::span<const int> unknowns() const { return unknowns_; }  // node -> its first, of x in the order of elimination
  int unknown_count() const { return unknown_count_; }
  std::ptrdiff_t value_count() const { return value_count_; }  // of all panels
  double flops() const { return flops_; }                      // of a factorisation

 private:
  void build_graph(std::span<const std::pair<int, int>> edges);
  void order_nodes();
  bool is_dear() const;
  void count_rows();
  void form_panels();
  void list_rows();
  void place_panels();
  void find_products();
  void locate_rows(int target);
  void add_updates(int source, int target);
  void add_runs(int source, int first_row, int columns, int target);
  void hand_on(int source, int first_row);
  GraphView graph() const { return {graph_begin_, graph_neighbours_}; }
  std::span<const int> neighbours(int position) const { return graph().of(order_[position]); }

  // The arguments.
  std::vector<int> sizes_;
  std::vector<std::pair<int, int>> edges_;
  Fill asked_ = Fill::kComplete;
  Fill fill_ = Fill::kComplete;
  bool analyzed_ = false;

  // Node by node.
  std::vector<int> graph_begin_, graph_neighbours_;
  std::vector<int> graph_edges_;  // to each of the neighbours
  EliminationOrder elimination_order_;
  std::vector<int> order_;     // position -> node
  std::vector<int> position_;  // node -> position
  std::vector<int> unknowns_;

  // Position by position: parent in the elimination tree, and rows below in the column of L.
  std::vector<int> parent_, nodes_below_, rows_below_, mark_;

  // Panel by panel.
  std::vector<Panel> panels_;
  std::vector<int> panel_of_;                     // position ->
  std::vector<int> first_, last_;                 // positions of its columns
  std::vector<int> rows_begin_;                   // of row_positions_
  std::vector<int> row_positions_, row_offsets_;  // rows below: their position, and scalars above in the panel

  // A panel waits, in a list, at the next panel that one of its rows belongs to.
  std::vector<int> waiting_, next_waiting_, next_row_;
  std::vector<int> offset_of_, located_;  // position -> scalars above in the panel of the moment, if located there

  std::vector<Segment> segments_;
  std::vector<Update> updates_;
  std::vector<Run> runs_;
  std::vector<Slot> diagonal_slots_, off_diagonal_slots_;
  int unknown_count_ = 0;
  std::ptrdiff_t value_count_ = 0;
  double flops_ = 0;
};

}  // namespace stickslip
