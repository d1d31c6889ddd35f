// Contacts of two shapes: whole manifolds.
#include <benchmark/benchmark.h>

#include "bench_shapes.h"

namespace stickslip::bench {
namespace {

void run(benchmark::State& bench, const ShapePair& pair) {
  const Collider a = make_collider(pair.a), b = make_collider(pair.b);
  std::vector<Placed> placed;
  for (const Pose& pose : pair.poses) placed.push_back({&b, pose.rotation, pose.position});
  const Placed base{&a};
  Manifold manifold;
  std::size_t i = 0;
  int points = 0;
  for (auto _ : bench) {
    if (collide(base, placed[i], kReach, manifold)) points += manifold.count;
    benchmark::DoNotOptimize(manifold);
    i = i + 1 < placed.size() ? i + 1 : 0;
  }
  bench.counters["points"] = static_cast<double>(points) / static_cast<double>(bench.iterations());
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const ShapePair& pair : shape_pairs()) {
    benchmark::RegisterBenchmark(("contacts/" + pair.name + "/stickslip").c_str(),
                                 [&pair](benchmark::State& bench) { run(bench, pair); });
  }
  return true;
}();

}  // namespace
}  // namespace stickslip::bench
