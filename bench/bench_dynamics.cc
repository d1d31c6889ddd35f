// Kinematics, inverse dynamics, mass matrix and forward dynamics of whole robots. Each call starts from q (and v), as
// Pinocchio's do.
#include <benchmark/benchmark.h>

#include "bench_robots.h"

namespace stickslip::bench {
namespace {

struct Fixture {
  Model model;
  std::vector<State> states;
  std::vector<VectorXd> u;
  Kinematics kinematics;
  InverseDynamicsWorkspace inverse_workspace;
  ForwardDynamicsWorkspace forward_workspace;
  MassMatrix mass;
  VectorXd out;

  explicit Fixture(const Robot& robot)
      : model(load(folder_from_environment("STICKSLIP_BENCH_ROBOTS") + "/" + robot.urdf, {.base = robot.base})),
        mass(model) {
    for (int i = 0; i < kStates; ++i) {
      State state = initial_state(model);
      state.q = VectorXd::Random(model.nq);
      state.v = VectorXd::Random(model.nv);
      normalize_configuration(model, state.q);
      states.push_back(state);
      u.push_back(VectorXd::Random(model.nv));
    }
  }
};

void kinematics(Fixture& f, int i) {
  compute_poses(f.model, f.states[i], f.kinematics);
  compute_velocities(f.model, f.states[i], f.kinematics);
}

void rnea(Fixture& f, int i) {
  kinematics(f, i);
  inverse_dynamics(f.model, f.states[i], f.kinematics, &f.u[i], f.out, f.inverse_workspace);
}

void crba(Fixture& f, int i) {
  compute_poses(f.model, f.states[i], f.kinematics);
  compute_mass_matrix(f.model, f.states[i], f.kinematics, f.mass);
}

void aba(Fixture& f, int i) {
  kinematics(f, i);
  forward_dynamics(f.model, f.states[i], f.kinematics, f.u[i], nullptr, nullptr, f.out, f.forward_workspace);
}

template <void call(Fixture&, int)>
void run(benchmark::State& bench, const Robot& robot) {
  Fixture fixture(robot);
  int i = 0;
  for (auto _ : bench) {
    call(fixture, i);
    i = (i + 1) % kStates;
  }
}

const int kRegistered = [] {
  for (const Robot& robot : kRobots) {
    const std::string name = robot.name;
    benchmark::RegisterBenchmark(("kinematics/" + name + "/stickslip").c_str(), run<kinematics>, robot);
    benchmark::RegisterBenchmark(("rnea/" + name + "/stickslip").c_str(), run<rnea>, robot);
    benchmark::RegisterBenchmark(("crba/" + name + "/stickslip").c_str(), run<crba>, robot);
    benchmark::RegisterBenchmark(("aba/" + name + "/stickslip").c_str(), run<aba>, robot);
  }
  return 0;
}();

}  // namespace
}  // namespace stickslip::bench
