#pragma once

#include <vector>

#include "stickslip/math/types.h"

// The convex problem of one step h from a given state, in numbers alone:
//
//   min over v of  1/2 v' A v - r' v + sum of l_i(J_i v + b_i)        CENIC (16)
//
// v stacks the velocities of the trees ("nodes"), island by island. A lone free body has the velocity of its centre of
// mass and its angular velocity, world axes; any other tree its own degrees of freedom. Const during a solve.
namespace stickslip {

struct Node {
  int tree = 0;
  int start = 0, size = 0;  // range in v
  int A = 0;                // where its dense, column-major block of A starts
};

// How one body of a patch moves with its node: the twist of the patch's centre.
struct PatchSide {
  int node = -1;                    // -1: no force moves it
  int first = 0, count = 0;         // range in Problem::columns, dofs ascending; count 0 for a lone free body
  Vector3d arm = Vector3d::Zero();  // lone free body: from its centre of mass to the patch's centre
};

// One column of the Jacobian of a patch's centre: what one degree of freedom of the node contributes.
struct PatchColumn {
  int dof = 0;  // within the node
  Vector3d linear = Vector3d::Zero();
  Vector3d angular = Vector3d::Zero();
};

// All contacts between two bodies, taken together about one centre.
struct Patch {
  PatchSide a, b;
  int first = 0, count = 0;  // contacts, in the order of the problem
  int edge = -1;             // of the island's graph; -1 if it touches one node only
  int source = 0;            // index into ContactSet::patches
};

struct PatchContact {
  Matrix3d frame = Matrix3d::Identity();  // columns: two tangents and the normal, see contact_frame
  Vector3d arm = Vector3d::Zero();        // from the patch's centre
  Vector3d bias = Vector3d::Zero();       // b of v_c = J v + b, contact's frame
  int source = -1;                        // index into the ContactSet; -1: fills up a pack
};

// A linear function of v that a scalar law acts on: sum of value * v[node.start + dof].
struct RowEntry {
  int node = 0, dof = 0;
  double value = 0;
};

struct Row {
  int first = 0, count = 0;  // range in Problem::entries, sorted by node
  double bias = 0;
  int source = 0;  // index into the list of row specifications
};

struct IndexRange {
  int first = 0, count = 0;
  int end() const { return first + count; }
};

// Trees that touch each other, directly or through others: solved on their own.
struct Island {
  IndexRange nodes, patches, packs;  // packs: contacts in fours, see ContactPotential
  IndexRange limits, forces;         // rows with one-sided and with clamped laws
  IndexRange edges;
  int start = 0, size = 0;  // range in v

  bool has_no_potential() const { return patches.count + limits.count + forces.count == 0; }
};

struct Problem {
  double h = 0;
  bool is_trapezoid = false;  // laws act for their share of the step, see end_share.h
  std::vector<Node> nodes;
  std::vector<double> A;
  VectorXd r;
  VectorXd start;  // v at the start of the step

  std::vector<Patch> patches;
  std::vector<PatchColumn> columns;
  std::vector<PatchContact> contacts;  // kPackSize a pack
  bool has_bias = false;               // any contact has

  std::vector<RowEntry> entries;
  std::vector<Row> limit_rows, force_rows;

  std::vector<Island> islands;
  std::vector<std::pair<int, int>> edges;  // nodes, counted within their island; first < second

  Eigen::Map<const MatrixXd> block(const Node& node) const { return {A.data() + node.A, node.size, node.size}; }
};

}  // namespace stickslip
