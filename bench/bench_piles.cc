// All contacts of a pile: boxes, spheres, capsules and cylinders in a bin, each touching its neighbours. Time a body
// should not depend on their number.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "stickslip/stickslip.h"

namespace stickslip::bench {
namespace {

constexpr double kSize = 0.1;  // [m]
// Small displacements of the pile, so that the broad phase has something to do. As many bodies in all for each pile:
// what small ones repeat soon, the processor's branch prediction learns by heart, which no simulation lets it do.
constexpr int kPlacedBodies = 80000;
constexpr double kStep = 1e-3;  // [s]

Shape pile_shape(int i) {
  switch (i % 4) {
    case 0:
      return Box{Vector3d::Constant(kSize)};
    case 1:
      return Sphere{0.5 * kSize};
    case 2:
      return Capsule{0.3 * kSize, 0.4 * kSize};
    default:
      return Cylinder{0.5 * kSize, kSize};
  }
}

Geometry geometry(const Shape& shape, const Vector3d& position = Vector3d::Zero()) {
  Geometry out;
  out.shape = shape;
  out.pose.position = position;
  return out;
}

Scene pile(int count) {
  const int side = static_cast<int>(std::ceil(std::cbrt(count)));
  const double width = side * kSize;
  Scene scene;
  scene.world_geometry.push_back(geometry(HalfSpace{}));
  for (int wall = 0; wall < 4; ++wall) {
    const double out = (wall % 2 ? 1 : -1) * (0.5 * width + kSize);
    const Vector3d across = wall < 2 ? Vector3d(kSize, width, 2 * width) : Vector3d(width, kSize, 2 * width);
    scene.world_geometry.push_back(geometry(Box{across}, wall < 2 ? Vector3d(out, 0, 0) : Vector3d(0, out, 0)));
  }
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < count; ++i) {
    Body body;
    body.name = "body_" + std::to_string(i);
    body.inertia = {1, Vector3d::Zero(), 1e-3 * Matrix3d::Identity()};
    body.geometry.push_back(geometry(pile_shape(static_cast<int>(random() % 4))));
    const Vector3d cell(i % side, (i / side) % side, i / (side * side));
    body.pose.position = 0.99 * kSize * (cell - Vector3d(0.5 * side, 0.5 * side, -0.5)) +
                         0.002 * Vector3d(uniform(random), uniform(random), 0);
    body.pose.rotation = Eigen::AngleAxisd(0.05 * uniform(random), Vector3d::UnitX()).toRotationMatrix();
    scene.bodies.push_back(body);
  }
  return scene;
}

void run(benchmark::State& bench) {
  const int count = static_cast<int>(bench.range(0));
  const Model model = compile(pile(count));
  const CollisionModel collision = make_collision_model(model);
  std::vector<Kinematics> kinematics(kPlacedBodies / count);
  const State start = initial_state(model);
  State state = start;
  std::srand(1);
  for (Kinematics& now : kinematics) {
    integrate(model, start.q, 2e-3 * VectorXd::Random(model.nv), state.q);
    compute_poses(model, state, now);
    compute_velocities(model, state, now);
  }
  std::vector<double> reach;
  ContactSet contacts;
  ContactWorkspace workspace;
  const auto query = [&](const Kinematics& now) {
    compute_reach(collision, model, now, kStep, reach);
    find_contacts(collision, now, reach, contacts, workspace);
  };
  query(kinematics.back());  // builds the broad phase's tree: once in a simulation
  size_t k = 0;
  for (auto _ : bench) {
    query(kinematics[k]);
    k = k + 1 < kinematics.size() ? k + 1 : 0;
  }
  bench.counters["contacts"] = contacts.size();
  bench.counters["us_a_body"] =
      benchmark::Counter(count * 1e-6, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK(run)->Name("pile")->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace stickslip::bench
