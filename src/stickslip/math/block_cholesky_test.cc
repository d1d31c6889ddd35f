#include "stickslip/math/block_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "stickslip/base/allocation_testing.h"
#include "stickslip/math/types.h"

namespace stickslip {
namespace {

using allocation_testing::allocation_count;
using Edges = std::vector<std::pair<int, int>>;
using Random = std::mt19937;

// Of a solution beside that of Eigen: round-off times the condition of the matrices below, some 1e4.
constexpr double kRoundOff = 1e-10;

int uniform(Random& random, int low, int high) { return low + static_cast<int>(random() % (high - low + 1)); }

struct Graph {
  std::string name;
  std::vector<int> sizes;
  Edges edges;
};

Graph graph(const std::string& name, const std::vector<int>& sizes, const Edges& edges) { return {name, sizes, edges}; }

std::vector<int> sixes(int count) { return std::vector<int>(count, 6); }

std::vector<int> mixed_sizes(int count, Random& random) {
  std::vector<int> out(count, 6);
  for (int& size : out) {
    if (random() % 2) size = uniform(random, 1, 14);
  }
  out[random() % out.size()] = uniform(random, 40, 60);
  return out;
}

Edges chain(int count) {
  Edges out;
  for (int i = 1; i < count; ++i) out.emplace_back(i, i - 1);
  return out;
}

Edges star(int count) {
  Edges out;
  for (int i = 1; i < count; ++i) out.emplace_back(i % 2 ? 0 : i, i % 2 ? i : 0);
  return out;
}

Edges complete(int count) {
  Edges out;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < i; ++j) out.emplace_back(i, j);
  }
  return out;
}

Edges random_tree(int count, Random& random) {
  Edges out;
  for (int i = 1; i < count; ++i) out.emplace_back(uniform(random, 0, i - 1), i);
  return out;
}

// Each of all pairs with the given probability: in several parts if that is small.
Edges random_edges(int count, double probability, Random& random) {
  Edges out;
  for (const auto& [i, j] : complete(count)) {
    if (std::uniform_real_distribution<double>(0, 1)(random) >= probability) continue;
    out.push_back(random() % 2 ? std::pair(i, j) : std::pair(j, i));
  }
  std::shuffle(out.begin(), out.end(), random);
  return out;
}

std::vector<Graph> all_graphs() {
  Random random(1);
  std::vector<Graph> out{graph("one", {6}, {}),
                         graph("six apart", {1, 2, 3, 4, 5, 6}, {}),
                         graph("one of size 1", {1}, {}),
                         graph("one of size 60", {60}, {}),
                         graph("two", sixes(2), {{0, 1}}),
                         graph("two apart", {6, 5}, {}),
                         graph("chain", sixes(20), chain(20)),
                         graph("star", sixes(20), star(20)),
                         graph("complete", sixes(15), complete(15)),
                         graph("mixed chain", mixed_sizes(20, random), chain(20)),
                         graph("mixed star", mixed_sizes(20, random), star(20)),
                         graph("mixed complete", mixed_sizes(12, random), complete(12))};
  for (int i = 0; i < 20; ++i) {
    const int count = uniform(random, 2, 40);
    const Edges edges = random_edges(count, uniform(random, 1, 6) / (1. + count), random);
    const std::string name = "random " + std::to_string(i);
    out.push_back(graph(name, sixes(count), edges));
    out.push_back(graph(name + " mixed", mixed_sizes(count, random), edges));
  }
  return out;
}

std::vector<int> offsets(const std::vector<int>& sizes) {
  std::vector<int> out{0};
  for (const int size : sizes) out.push_back(out.back() + size);
  return out;
}

// As contacts make it: for each edge J' J with a random J of three rows on both its nodes, and a mass on the diagonal.
MatrixXd random_matrix(const Graph& graph, double stiffness, Random& random) {
  std::uniform_real_distribution<double> real(-1, 1);
  const std::vector<int> at = offsets(graph.sizes);
  MatrixXd H = MatrixXd::Zero(at.back(), at.back());
  for (int i = 0; i < at.back(); ++i) H(i, i) = 1 + 0.5 * real(random);
  const auto random_jacobian = [&](int size) -> MatrixXd {
    return MatrixXd::NullaryExpr(3, size, [&] { return real(random); });
  };
  for (const auto& [i, j] : graph.edges) {
    const int size_i = graph.sizes[i], size_j = graph.sizes[j];
    const MatrixXd J_i = random_jacobian(size_i), J_j = random_jacobian(size_j);
    H.block(at[i], at[i], size_i, size_i) += stiffness * J_i.transpose() * J_i;
    H.block(at[j], at[j], size_j, size_j) += stiffness * J_j.transpose() * J_j;
    H.block(at[i], at[j], size_i, size_j) += stiffness * J_i.transpose() * J_j;
    H.block(at[j], at[i], size_j, size_i) += stiffness * J_j.transpose() * J_i;
  }
  return H;
}

void add(const MatrixXd& block, const BlockSlot& slot) {
  for (int j = 0; j < block.cols(); ++j) {
    for (int i = 0; i < block.rows(); ++i) slot.data[i + j * slot.stride] += block(i, j);
  }
}

// The upper triangles hold what must not be read.
void assemble(const Graph& graph, const MatrixXd& H, BlockCholesky& cholesky) {
  const std::vector<int> at = offsets(graph.sizes);
  const auto block = [&](int i, int j) -> MatrixXd { return H.block(at[i], at[j], graph.sizes[i], graph.sizes[j]); };
  cholesky.set_zero();
  for (size_t i = 0; i < graph.sizes.size(); ++i) {
    MatrixXd lower = block(i, i);
    lower.triangularView<Eigen::StrictlyUpper>().setConstant(std::numeric_limits<double>::quiet_NaN());
    add(lower, cholesky.diagonal(i));
  }
  for (size_t e = 0; e < graph.edges.size(); ++e) {
    const auto [i, j] = graph.edges[e];
    const BlockSlot slot = cholesky.off_diagonal(e);
    add(slot.transposed ? block(j, i) : block(i, j), slot);
  }
}

bool factor(const Graph& graph, const MatrixXd& H, Fill fill, BlockCholesky& cholesky) {
  cholesky.analyze(graph.sizes, graph.edges, fill);
  assemble(graph, H, cholesky);
  return cholesky.factor();
}

VectorXd solution(BlockCholesky& cholesky, VectorXd b) {
  cholesky.solve_in_place(b.data());
  return b;
}

VectorXd random_vector(int size, Random& random) {
  std::uniform_real_distribution<double> real(-1, 1);
  return VectorXd::NullaryExpr(size, [&] { return real(random); });
}

TEST(BlockCholesky, SolutionIsThatOfADenseFactor) {
  Random random(2);
  BlockCholesky cholesky;
  for (const Graph& graph : all_graphs()) {
    const MatrixXd H = random_matrix(graph, 1e3, random);
    const VectorXd b = random_vector(H.rows(), random);
    ASSERT_TRUE(factor(graph, H, Fill::kComplete, cholesky)) << graph.name;
    const VectorXd x = solution(cholesky, b);
    const VectorXd expected = H.llt().solve(b);
    EXPECT_LE((x - expected).norm(), kRoundOff * expected.norm()) << graph.name;
    // Backward stable: what is left over is round-off of the terms, whatever the condition.
    EXPECT_LE((H * x - b).norm(), 1e-13 * (H.norm() * x.norm() + b.norm())) << graph.name;
  }
}

// Stiffness far beyond round-off's reach of the masses' inverse, as contacts have it: residuals stay small.
TEST(BlockCholesky, ResidualIsRoundOffForStiffMatrices) {
  Random random(3);
  BlockCholesky cholesky;
  for (const Graph& graph : all_graphs()) {
    const MatrixXd H = random_matrix(graph, 1e9, random);
    const VectorXd b = random_vector(H.rows(), random);
    ASSERT_TRUE(factor(graph, H, Fill::kComplete, cholesky)) << graph.name;
    const VectorXd x = solution(cholesky, b);
    EXPECT_LE((H * x - b).norm(), 1e-13 * (H.norm() * x.norm() + b.norm())) << graph.name;
  }
}

TEST(BlockCholesky, IncompleteFactorOfATreeIsExact) {
  Random random(4);
  BlockCholesky cholesky;
  std::vector<Graph> trees{graph("one", {6}, {}), graph("chain", sixes(20), chain(20)),
                           graph("star", mixed_sizes(20, random), star(20))};
  for (int i = 0; i < 10; ++i) trees.push_back(graph("tree", mixed_sizes(30, random), random_tree(30, random)));
  for (const Graph& tree : trees) {
    const MatrixXd H = random_matrix(tree, 1e3, random);
    const VectorXd b = random_vector(H.rows(), random);
    ASSERT_TRUE(factor(tree, H, Fill::kNone, cholesky)) << tree.name;
    EXPECT_EQ(cholesky.shift(), 0);
    const VectorXd expected = H.llt().solve(b);
    EXPECT_LE((solution(cholesky, b) - expected).norm(), kRoundOff * expected.norm()) << tree.name;
  }
}

// No shift is needed for most; where it is, the factor is that of a positive definite matrix all the same: x' P^-1 x >
// 0.
TEST(BlockCholesky, IncompleteFactorExistsForEveryPositiveDefiniteMatrix) {
  Random random(5);
  BlockCholesky cholesky;
  int shifted = 0;
  for (const double stiffness : {1., 1e3, 1e9}) {
    for (const Graph& graph : all_graphs()) {
      const MatrixXd H = random_matrix(graph, stiffness, random);
      const VectorXd b = random_vector(H.rows(), random);
      ASSERT_TRUE(factor(graph, H, Fill::kNone, cholesky)) << graph.name;
      EXPECT_GT(b.dot(solution(cholesky, b)), 0) << graph.name;
      shifted += cholesky.shift() > 0;
    }
  }
  EXPECT_GT(shifted, 0);  // else the shift would not have been tried
}

// A grid of bodies, the kind of graph it is for: preconditioned by it, the matrix has its eigenvalues closer together.
TEST(BlockCholesky, IncompleteFactorIsNearTheMatrix) {
  Random random(6);
  Edges edges;
  for (int i = 0; i < 36; ++i) {
    if (i % 6 > 0) edges.emplace_back(i, i - 1);
    if (i >= 6) edges.emplace_back(i - 6, i);
  }
  const Graph grid = graph("grid", sixes(36), edges);
  const MatrixXd H = random_matrix(grid, 10, random);
  BlockCholesky cholesky;
  ASSERT_TRUE(factor(grid, H, Fill::kNone, cholesky));
  const VectorXd b = random_vector(H.rows(), random);
  const VectorXd incomplete = solution(cholesky, b);
  const VectorXd diagonal = b.cwiseQuotient(H.diagonal());
  const VectorXd exact = H.llt().solve(b);
  const auto error = [&](const VectorXd& x) { return std::sqrt((x - exact).dot(H * (x - exact))); };  // what CG reduces
  EXPECT_LT(error(incomplete), 0.5 * error(diagonal));
}

TEST(BlockCholesky, IndefiniteAndNonFiniteMatricesAreRefused) {
  Random random(7);
  BlockCholesky cholesky;
  for (const Graph& graph : all_graphs()) {
    const MatrixXd H = random_matrix(graph, 1e3, random);
    const int k = uniform(random, 0, static_cast<int>(H.rows()) - 1);
    for (const double bad : {-1., 0., std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()}) {
      MatrixXd bad_H = H;
      bad_H(k, k) = bad;
      EXPECT_FALSE(factor(graph, bad_H, Fill::kComplete, cholesky)) << graph.name << " " << bad;
      EXPECT_FALSE(factor(graph, bad_H, Fill::kNone, cholesky)) << graph.name << " " << bad;
    }
    if (graph.edges.empty()) continue;
    MatrixXd bad_H = H;
    const std::vector<int> at = offsets(graph.sizes);
    const auto [i, j] = graph.edges[random() % graph.edges.size()];
    bad_H(at[i], at[j]) = bad_H(at[j], at[i]) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(factor(graph, bad_H, Fill::kComplete, cholesky)) << graph.name;
    EXPECT_FALSE(factor(graph, bad_H, Fill::kNone, cholesky)) << graph.name;
    // And after a failure the next matrix is as good as ever.
    EXPECT_TRUE(factor(graph, H, Fill::kComplete, cholesky)) << graph.name;
  }
}

// Whatever was factored before, the same arguments give the same bits.
TEST(BlockCholesky, ResultsDoNotDependOnEarlierCalls) {
  Random random(8);
  const std::vector<Graph> graphs = all_graphs();
  BlockCholesky used;
  for (const Fill fill : {Fill::kComplete, Fill::kNone}) {
    for (size_t i = 1; i < graphs.size(); ++i) {
      const MatrixXd H = random_matrix(graphs[i], 1e3, random);
      const MatrixXd other_H = random_matrix(graphs[i - 1], 1e3, random);
      const VectorXd b = random_vector(H.rows(), random);
      BlockCholesky fresh;
      ASSERT_TRUE(factor(graphs[i], H, fill, fresh));
      ASSERT_TRUE(factor(graphs[i], H, fill, used));
      const VectorXd x = solution(fresh, b);
      EXPECT_EQ(solution(used, b), x) << graphs[i].name;
      ASSERT_TRUE(factor(graphs[i - 1], other_H, fill, used));
      ASSERT_TRUE(factor(graphs[i], H, fill, used));
      EXPECT_EQ(solution(used, b), x) << graphs[i].name << ", there and back";
    }
  }
}

TEST(BlockCholesky, MatrixOfNoNodesIsFactored) {
  BlockCholesky cholesky;
  for (const Fill fill : {Fill::kComplete, Fill::kNone}) {
    EXPECT_TRUE(factor(graph("none", {}, {}), MatrixXd(0, 0), fill, cholesky));
    cholesky.solve_in_place(nullptr);
    EXPECT_EQ(cholesky.estimated_flops(), 0);
  }
}

// One multiplication and one addition each.
TEST(BlockCholesky, FlopsOfADenseMatrixAreACubeOverThree) {
  BlockCholesky cholesky;
  for (const int count : {1, 2, 8, 40}) {
    const double n = 6 * count;
    cholesky.analyze(sixes(count), complete(count), Fill::kComplete);
    EXPECT_NEAR(cholesky.estimated_flops(), n * n * n / 3, 1e-9 * n * n * n);
  }
  cholesky.analyze(sixes(40), chain(40), Fill::kComplete);
  EXPECT_LT(cholesky.estimated_flops(), 40 * 2.5 * 216);  // 7/3 of a block's cube for each link of a chain
}

// A chain of any length has no fill; a cube of nodes with all its neighbours has more than iterations cost.
TEST(BlockCholesky, AutomaticFillIsCompleteWhereThatIsCheap) {
  BlockCholesky cholesky;
  cholesky.analyze(sixes(3000), chain(3000), Fill::kAutomatic);
  EXPECT_EQ(cholesky.fill(), Fill::kComplete);
  constexpr int kSide = 16;
  Edges edges;
  for (int i = 0; i < kSide * kSide * kSide; ++i) {
    if (i % kSide + 1 < kSide) edges.emplace_back(i, i + 1);
    if (i / kSide % kSide + 1 < kSide) edges.emplace_back(i, i + kSide);
    if (i / (kSide * kSide) + 1 < kSide) edges.emplace_back(i, i + kSide * kSide);
  }
  cholesky.analyze(sixes(kSide * kSide * kSide), edges, Fill::kAutomatic);
  EXPECT_EQ(cholesky.fill(), Fill::kNone);
}

TEST(BlockCholesky, SecondRunAllocatesNothing) {
  Random random(9);
  const Graph large = graph("large", mixed_sizes(60, random), random_edges(60, 0.1, random));
  const Graph small = graph("small", sixes(30), random_edges(30, 0.1, random));
  BlockCholesky cholesky;
  VectorXd x(offsets(large.sizes).back());
  const auto run = [&] {
    for (const Fill fill : {Fill::kComplete, Fill::kNone}) {
      for (const Graph* graph : {&large, &small}) {
        cholesky.analyze(graph->sizes, graph->edges, fill);
        cholesky.set_zero();
        for (size_t i = 0; i < graph->sizes.size(); ++i) {
          const BlockSlot block = cholesky.diagonal(i);
          for (int k = 0; k < graph->sizes[i]; ++k) block.data[k * (block.stride + 1)] = 2;
        }
        if (!cholesky.factor()) return false;
        x.setOnes();
        cholesky.solve_in_place(x.data());
      }
    }
    return true;
  };
  ASSERT_TRUE(run());
  const size_t before = allocation_count;
  ASSERT_TRUE(run());
  EXPECT_EQ(allocation_count - before, 0u);
}

}  // namespace
}  // namespace stickslip
