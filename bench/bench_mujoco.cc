// The same stages in MuJoCo: position kinematics, inertia in centre-of-mass frames, velocities, composite inertia and
// bias.
#include <benchmark/benchmark.h>
#include <mujoco/mujoco.h>

#include <random>

#include "bench_robots.h"

namespace stickslip::bench {
namespace {

std::string free_bodies_xml() {
  std::string xml = "<mujoco><worldbody>";
  for (int i = 0; i < kFreeBodies; ++i)
    xml += "<body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='0.1 0.2 0.25'/></body>";
  return xml + "</worldbody></mujoco>";
}

void run(benchmark::State& bench) {
  char error[1000] = "";
  const std::string xml = free_bodies_xml();
  mjSpec* spec = mj_parseXMLString(xml.c_str(), nullptr, error, sizeof(error));
  mjModel* model = spec ? mj_compile(spec, nullptr) : nullptr;
  if (!model) {
    bench.SkipWithError(error);
    return;
  }
  mjData* data = mj_makeData(model);
  std::mt19937 random(0);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < model->nq; ++i) data->qpos[i] = uniform(random);
  for (int i = 0; i < model->nv; ++i) data->qvel[i] = uniform(random);
  mj_normalizeQuat(model, data->qpos);
  for (auto _ : bench) {
    mj_kinematics(model, data);
    mj_comPos(model, data);
    mj_comVel(model, data);
    mj_makeM(model, data);
    mj_rne(model, data, 0, data->qfrc_bias);
  }
  mj_deleteData(data);
  mj_deleteModel(model);
  mj_deleteSpec(spec);
}

const auto* const kRegistered = benchmark::RegisterBenchmark("free_bodies/1000/mujoco", run);

}  // namespace
}  // namespace stickslip::bench
