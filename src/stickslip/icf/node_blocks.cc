#include "stickslip/icf/node_blocks.h"

#include <algorithm>

namespace stickslip {
namespace {

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

// Columns of a tree's Jacobian, four side by side; the last ones are filled up with zeros.
void gather_columns(const Problem& problem, const PatchSide& side, std::vector<FourColumns>& out) {
  out.assign((side.count + kPackSize - 1) / kPackSize, FourColumns());
  for (int i = 0; i < side.count; ++i) {
    const PatchColumn& from = problem.columns[side.first + i];
    FourColumns& to = out[i / kPackSize];
    const int k = i % kPackSize;
    to.linear.x[k] = from.linear.x();
    to.linear.y[k] = from.linear.y();
    to.linear.z[k] = from.linear.z();
    to.angular.x[k] = from.angular.x();
    to.angular.y[k] = from.angular.y();
    to.angular.z[k] = from.angular.z();
    to.adjoin = k == kPackSize - 1 && from.dof - problem.columns[side.first + i - k].dof == k;
  }
}

Pack dot(const FourColumns& a, const Twist& b) {
  return (a.linear.x * b.linear.x() + a.linear.y * b.linear.y() + a.linear.z * b.linear.z()) +
         (a.angular.x * b.angular.x() + a.angular.y * b.angular.y() + a.angular.z * b.angular.z());
}

PackVector operator*(const Matrix3d& M, const PackVector& x) {
  return {M(0, 0) * x.x + M(0, 1) * x.y + M(0, 2) * x.z, M(1, 0) * x.x + M(1, 1) * x.y + M(1, 2) * x.z,
          M(2, 0) * x.x + M(2, 1) * x.y + M(2, 2) * x.z};
}

FourColumns operator*(const PatchHessian& G, const FourColumns& J) {
  if (G.is_point) return {G.P * J.linear, PackVector()};
  return {G.P * J.linear + G.Q * J.angular, Matrix3d(G.Q.transpose()) * J.linear + G.S * J.angular};
}

Twist lane(const FourColumns& x, int k) {
  return {{x.linear.x[k], x.linear.y[k], x.linear.z[k]}, {x.angular.x[k], x.angular.y[k], x.angular.z[k]}};
}

// A tree's own block, of which the lower triangle counts.
void add_tree_diagonal(const Problem& problem, const Island& island, const PatchSide& side, const PatchHessian& G,
                       BlockAssembly& H) {
  const BlockSlot& slot = H.diagonal[side.node - island.nodes.first];
  const PatchColumn* columns = problem.columns.data() + side.first;
  gather_columns(problem, side, H.columns);
  for (int first = 0; first < side.count; first += kPackSize) {
    const FourColumns wrenches = G * H.columns[first / kPackSize];
    const int end = std::min(first + kPackSize, side.count);
    for (int j = first; j < end; ++j) {
      double* to = slot.data + columns[j].dof * slot.stride;
      const Twist wrench = lane(wrenches, j - first);
      for (int i = first; i < side.count; i += kPackSize) {
        const FourColumns& rows = H.columns[i / kPackSize];
        const Pack entries = dot(rows, wrench);
        if (rows.adjoin) {
          double* four = to + columns[i].dof;
          store_pack(load_pack(four) + entries, four);
        } else {
          for (int k = 0; k < std::min(kPackSize, side.count - i); ++k) to[columns[i + k].dof] += entries[k];
        }
      }
    }
  }
}

// The blocks of lone free bodies. With J = [1, -[arm]; 0, 1] and G = [P Q; Q' S],
//
//   Ja' G Jb = [P, Lb'; La, X]   L = [arm] P + Q'   X = [arm_a] Lb' + S - Q' [arm_b]
//
// A patch of one point has its centre there: Q and S are zero.
struct FreeSide {
  Vector3d arm;
  Matrix3d L;

  FreeSide(const Vector3d& arm_of_side, const PatchHessian& G) : arm(arm_of_side), L(cross_times(arm, G.P)) {
    if (!G.is_point) L += G.Q.transpose();
  }
};

Matrix3d lower_right(const FreeSide& a, const FreeSide& b, const PatchHessian& G) {
  Matrix3d X = cross_times(a.arm, b.L.transpose());
  // Q' [b] = ([b]' Q)' = -([b] Q)'
  if (!G.is_point) X += G.S + cross_times(b.arm, G.Q).transpose();
  return X;
}

// Adds sign * [P, Lb'; La, X].
void add_free_block(const BlockSlot& slot, double sign, const FreeSide& a, const FreeSide& b, const PatchHessian& G) {
  const Matrix3d X = lower_right(a, b, G);
  for (int c = 0; c < 3; ++c) {
    Eigen::Map<Vector3d> upper(slot.data + c * slot.stride), lower(slot.data + c * slot.stride + 3);
    Eigen::Map<Vector3d> right(slot.data + (c + 3) * slot.stride), corner(slot.data + (c + 3) * slot.stride + 3);
    upper += sign * G.P.col(c);
    lower += sign * a.L.col(c);
    right += sign * b.L.row(c).transpose();
    corner += sign * X.col(c);
  }
}

// The same for a diagonal block, of which the lower triangle counts.
void add_free_diagonal(const BlockSlot& slot, const FreeSide& a, const PatchHessian& G) {
  const Matrix3d X = lower_right(a, a, G);
  for (int c = 0; c < 3; ++c) {
    Eigen::Map<Vector3d>(slot.data + c * slot.stride) += G.P.col(c);
    Eigen::Map<Vector3d>(slot.data + c * slot.stride + 3) += a.L.col(c);
    Eigen::Map<Vector3d>(slot.data + (c + 3) * slot.stride + 3) += X.col(c);
  }
}

void add_free_patch(const Island& island, const Patch& patch, const PatchHessian& G, BlockAssembly& H) {
  const auto diagonal = [&](const PatchSide& side) { return H.diagonal[side.node - island.nodes.first]; };
  if (patch.b.node < 0) return add_free_diagonal(diagonal(patch.a), FreeSide(patch.a.arm, G), G);
  const FreeSide b(patch.b.arm, G);
  add_free_diagonal(diagonal(patch.b), b, G);
  if (patch.a.node < 0) return;
  const FreeSide a(patch.a.arm, G);
  add_free_diagonal(diagonal(patch.a), a, G);
  const BlockSlot& slot = H.off_diagonal[patch.edge - island.edges.first];
  const bool a_first = patch.a.node < patch.b.node;
  const bool rows_of_a = a_first != slot.transposed;
  add_free_block(slot, -1, rows_of_a ? a : b, rows_of_a ? b : a, G);
}

}  // namespace

void add_patch_blocks(const Problem& problem, const Island& island, const Patch& patch, const PatchHessian& G,
                      BlockAssembly& H) {
  const PatchSide &a = patch.a, &b = patch.b;
  const auto is_simple = [](const PatchSide& side) { return side.node < 0 || is_free(side); };
  if (is_simple(a) && is_simple(b)) return add_free_patch(island, patch, G, H);
  for (const PatchSide* side : {&a, &b}) {
    if (side->node < 0) continue;
    if (is_free(*side)) {
      add_free_diagonal(H.diagonal[side->node - island.nodes.first], FreeSide(side->arm, G), G);
    } else {
      add_tree_diagonal(problem, island, *side, G, H);
    }
  }
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
  for_each_entry(problem, first, second, G, [&](int r, int c, double x) { *slot.entry(r, c) -= x; });
}

}  // namespace stickslip
