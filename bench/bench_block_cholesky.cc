// Factor and solve of the matrices that piles of free bodies make: six unknowns a body, a block for each pair in
// contact.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "stickslip/math/block_cholesky.h"
#include "stickslip/math/types.h"

namespace stickslip::bench {
namespace {

constexpr int kSize = 6;
constexpr double kReach = 1.3;   // of a body to its neighbours, in cells: three to four contacts a body
constexpr double kJitter = 0.2;  // of its place, in cells

using Edges = std::vector<std::pair<int, int>>;

// Bodies on a jittered grid, numbered at random.
Edges pile_edges(int count) {
  const int side = static_cast<int>(std::ceil(std::cbrt(count)));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Vector3d> cells;
  for (int i = 0; i < count; ++i) cells.emplace_back(i % side, i / side % side, i / (side * side));
  for (Vector3d& cell : cells) cell += kJitter * Vector3d(uniform(random), uniform(random), uniform(random));
  std::shuffle(cells.begin(), cells.end(), random);
  Edges out;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < i; ++j) {
      if ((cells[i] - cells[j]).norm() < kReach) out.emplace_back(i, j);
    }
  }
  return out;
}

struct Pile {
  explicit Pile(const benchmark::State& state)
      : sizes(state.range(0), kSize), edges(pile_edges(static_cast<int>(state.range(0)))) {}

  void analyze(Fill fill) { cholesky.analyze(sizes, edges, fill); }

  // Any numbers do as long as the diagonal dominates.
  void assemble() {
    cholesky.set_zero();
    for (size_t i = 0; i < sizes.size(); ++i) {
      const BlockSlot block = cholesky.diagonal(static_cast<int>(i));
      for (int k = 0; k < kSize; ++k) block.data[k * (block.stride + 1)] = 100;
    }
    for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
      const BlockSlot block = cholesky.off_diagonal(e);
      for (int k = 0; k < kSize * kSize; ++k) block.data[k % kSize + k / kSize * block.stride] = (k + e) % 5 - 2;
    }
  }

  std::vector<int> sizes;
  Edges edges;
  BlockCholesky cholesky;
};

void analyze(benchmark::State& state, Fill fill) {
  Pile pile(state);
  for (auto _ : state) {
    std::swap(pile.edges.front().first, pile.edges.front().second);  // another pattern each time
    pile.analyze(fill);
  }
}

void assemble(benchmark::State& state, Fill fill) {
  Pile pile(state);
  pile.analyze(fill);
  for (auto _ : state) pile.assemble();
}

// With assembly, for a factor needs a matrix: subtract the time of that.
void assemble_and_factor(benchmark::State& state, Fill fill) {
  Pile pile(state);
  pile.analyze(fill);
  for (auto _ : state) {
    pile.assemble();
    if (!pile.cholesky.factor()) state.SkipWithError("not positive definite");
  }
  state.counters["flops"] = pile.cholesky.estimated_flops();
}

void solve(benchmark::State& state, Fill fill) {
  Pile pile(state);
  pile.analyze(fill);
  pile.assemble();
  if (!pile.cholesky.factor()) state.SkipWithError("not positive definite");
  const VectorXd b = VectorXd::Ones(kSize * state.range(0));
  VectorXd x = b;
  for (auto _ : state) {
    x = b;
    pile.cholesky.solve_in_place(x.data());
  }
}

void piles(benchmark::internal::Benchmark* benchmark) {
  for (const int bodies : {2, 10, 40, 80, 320, 1000}) benchmark->Arg(bodies);
  benchmark->Unit(benchmark::kMicrosecond);
}

BENCHMARK_CAPTURE(analyze, complete, Fill::kComplete)->Name("block_cholesky_analyze_complete")->Apply(piles);
BENCHMARK_CAPTURE(analyze, no_fill, Fill::kNone)->Name("block_cholesky_analyze_no_fill")->Apply(piles);
BENCHMARK_CAPTURE(assemble, complete, Fill::kComplete)->Name("block_cholesky_assemble_complete")->Apply(piles);
BENCHMARK_CAPTURE(assemble, no_fill, Fill::kNone)->Name("block_cholesky_assemble_no_fill")->Apply(piles);
BENCHMARK_CAPTURE(assemble_and_factor, complete, Fill::kComplete)
    ->Name("block_cholesky_assemble_and_factor_complete")
    ->Apply(piles);
BENCHMARK_CAPTURE(assemble_and_factor, no_fill, Fill::kNone)
    ->Name("block_cholesky_assemble_and_factor_no_fill")
    ->Apply(piles);
BENCHMARK_CAPTURE(solve, complete, Fill::kComplete)->Name("block_cholesky_solve_complete")->Apply(piles);
BENCHMARK_CAPTURE(solve, no_fill, Fill::kNone)->Name("block_cholesky_solve_no_fill")->Apply(piles);

}  // namespace
}  // namespace stickslip::bench
