// The same calls in Pinocchio, header templates compiled with our flags.
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/kinematics.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/serialization.hpp>

#include <benchmark/benchmark.h>

#include "bench_robots.h"

namespace stickslip::bench {
namespace {

struct Fixture {
  pinocchio::Model model;
  pinocchio::Data data;
  std::vector<VectorXd> q, v, u;

  explicit Fixture(const Robot& robot) {
    pinocchio::serialization::loadFromText(
        model, folder_from_environment("STICKSLIP_BENCH_PINOCCHIO") + "/" + robot.name + ".txt");
    data = pinocchio::Data(model);
    pinocchio::Model bounded = model;
    bounded.lowerPositionLimit.setConstant(-1);
    bounded.upperPositionLimit.setConstant(1);
    for (int i = 0; i < kStates; ++i) {
      q.push_back(pinocchio::randomConfiguration(bounded));
      v.push_back(VectorXd::Random(model.nv));
      u.push_back(VectorXd::Random(model.nv));
    }
  }
};

void kinematics(Fixture& f, int i) { pinocchio::forwardKinematics(f.model, f.data, f.q[i], f.v[i]); }
void rnea(Fixture& f, int i) { pinocchio::rnea(f.model, f.data, f.q[i], f.v[i], f.u[i]); }
void crba(Fixture& f, int i) { pinocchio::crba(f.model, f.data, f.q[i], pinocchio::Convention::WORLD); }
void aba(Fixture& f, int i) { pinocchio::aba(f.model, f.data, f.q[i], f.v[i], f.u[i], pinocchio::Convention::WORLD); }
void aba_local(Fixture& f, int i) {
  pinocchio::aba(f.model, f.data, f.q[i], f.v[i], f.u[i], pinocchio::Convention::LOCAL);
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
    benchmark::RegisterBenchmark(("kinematics/" + name + "/pinocchio").c_str(), run<kinematics>, robot);
    benchmark::RegisterBenchmark(("rnea/" + name + "/pinocchio").c_str(), run<rnea>, robot);
    benchmark::RegisterBenchmark(("crba/" + name + "/pinocchio").c_str(), run<crba>, robot);
    benchmark::RegisterBenchmark(("aba/" + name + "/pinocchio").c_str(), run<aba>, robot);
    benchmark::RegisterBenchmark(("aba/" + name + "/pinocchio-local").c_str(), run<aba_local>, robot);
  }
  return 0;
}();

}  // namespace
}  // namespace stickslip::bench
