// A thousand free bodies: kinematics + mass matrix + bias force, the stages before contact.
#include <benchmark/benchmark.h>

#include "bench_robots.h"

namespace stickslip::bench {
namespace {

Model free_bodies() {
  Scene scene;
  for (int i = 0; i < kFreeBodies; ++i) {
    Body body;
    body.name = "body_" + std::to_string(i);
    body.inertia = {1, Vector3d::Zero(), Vector3d(0.1, 0.2, 0.25).asDiagonal()};
    body.pose.position = Vector3d(i % 10, (i / 10) % 10, i / 100);
    scene.bodies.push_back(body);
  }
  return compile(scene);
}

void run(benchmark::State& bench) {
  const Model model = free_bodies();
  State state = initial_state(model);
  state.q = VectorXd::Random(model.nq);
  state.v = VectorXd::Random(model.nv);
  normalize_configuration(model, state.q);
  EquationsOfMotion equations(model);
  for (auto _ : bench) compute_equations_of_motion(model, state, equations);
}

const auto* const kRegistered = benchmark::RegisterBenchmark("free_bodies/1000/stickslip", run);

}  // namespace
}  // namespace stickslip::bench
