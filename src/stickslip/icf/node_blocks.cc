#include "stickslip/icf/node_blocks.h"

namespace stickslip {
namespace {

void add_to_diagonal(const BlockSlot& slot, const Matrix6d& M) {
  for (int c = 0; c < 6; ++c)
    for (int r = 0; r < 6; ++r) slot.data[r + c * slot.stride] += M(r, c);
}

bool is_free(const PatchSide& side) { return side.count == 0; }

// Calls visit(dof, column) for the columns of any side's Jacobian.
template <typename Visit>
void for_each_column(const Problem& problem, const PatchSide& side, Visit&& visit) {
  if (!is_free(side)) {
    for (int i = side.first; i < side.first + side.count; ++i) {
      const PatchColumn& column = problem.columns[i];
      visit(column.dof, Twist{column.linear, column.angular});
    }
    return;
  }
  for (int k = 0; k < 3; ++k) visit(k, Twist{Vector3d::Unit(k), Vector3d::Zero()});
  for (int k = 0; k < 3; ++k) visit(3 + k, Twist{Vector3d::Unit(k).cross(side.arm), Vector3d::Unit(k)});
}

double dot(const Twist& a, const Twist& b) { return a.linear.dot(b.linear) + a.angular.dot(b.angular); }

// M += sign J_row' G J_column
template <typename Add>
void for_each_entry(const Problem& problem, const PatchSide& row, const PatchSide& column, const PatchHessian& G,
                    Add&& add) {
  for_each_column(problem, column, [&](int c, const Twist& twist) {
    const Twist wrench = G * twist;
    for_each_column(problem, row, [&](int r, const Twist& own) { add(r, c, dot(own, wrench)); });
  });
}

void add_own_block(const Problem& problem, const Island& island, const PatchSide& side, const PatchHessian& G,
                   BlockAssembly& H) {
  const BlockSlot& slot = H.diagonal[side.node - island.nodes.first];
  if (is_free(side)) return add_to_diagonal(slot, free_block(G, side.arm, side.arm));
  for_each_entry(problem, side, side, G, [&](int r, int c, double x) { slot.data[r + c * slot.stride] += x; });
}

}  // namespace

void add_patch_blocks(const Problem& problem, const Island& island, const Patch& patch, const PatchHessian& G,
                      BlockAssembly& H) {
  const PatchSide &a = patch.a, &b = patch.b;
  if (a.node >= 0) add_own_block(problem, island, a, G, H);
  if (b.node >= 0) add_own_block(problem, island, b, G, H);
  if (a.node < 0 || b.node < 0) return;
  if (a.node == b.node) {
    const BlockSlot& slot = H.diagonal[a.node - island.nodes.first];
    for_each_entry(problem, a, b, G, [&](int r, int c, double x) {
      slot.data[r + c * slot.stride] -= x;
      slot.data[c + r * slot.stride] -= x;
    });
    return;
  }
  // Edges run from the smaller node to the larger.
  const PatchSide& first = a.node < b.node ? a : b;
  const PatchSide& second = a.node < b.node ? b : a;
  const BlockSlot& slot = H.off_diagonal[patch.edge - island.edges.first];
  if (is_free(a) && is_free(b)) {
    const Matrix6d M = slot.transposed ? free_block(G, second.arm, first.arm) : free_block(G, first.arm, second.arm);
    for (int c = 0; c < 6; ++c)
      for (int r = 0; r < 6; ++r) slot.data[r + c * slot.stride] -= M(r, c);
    return;
  }
  for_each_entry(problem, first, second, G, [&](int r, int c, double x) { *slot.entry(r, c) -= x; });
}

}  // namespace stickslip
