// The same contacts by MuJoCo's functions for two geoms, called through its table.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "bench_shapes.h"

namespace stickslip::bench {
namespace {

std::string mesh_asset(const char* name, const ConvexMesh& shape) {
  std::string text = fmt::format("<mesh name='{}' inertia='convex' vertex='", name);
  for (const Vector3d& v : shape.mesh->vertices) text += fmt::format("{} {} {} ", v.x(), v.y(), v.z());
  return text + "'/>";
}

std::string geom(const char* name, const Shape& shape, std::string& assets) {
  if (const auto* box = std::get_if<Box>(&shape)) {
    const Vector3d half = 0.5 * box->size;
    return fmt::format("<geom type='box' size='{} {} {}'/>", half.x(), half.y(), half.z());
  }
  if (const auto* capsule = std::get_if<Capsule>(&shape))
    return fmt::format("<geom type='capsule' size='{} {}'/>", capsule->radius, 0.5 * capsule->length);
  if (const auto* sphere = std::get_if<Sphere>(&shape))
    return fmt::format("<geom type='sphere' size='{}'/>", sphere->radius);
  assets += mesh_asset(name, std::get<ConvexMesh>(shape));
  return fmt::format("<geom type='mesh' mesh='{}'/>", name);
}

// A mesh's frame is moved to its centre of mass and principal axes: X_MG as MuJoCo has it.
struct GeomFrame {
  Vector3d position;
  Matrix3d rotation;
};

GeomFrame geom_frame(const mjModel* model, int geom) {
  const mjtNum* p = model->geom_pos + 3 * geom;
  const mjtNum* q = model->geom_quat + 4 * geom;
  return {{p[0], p[1], p[2]}, Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix()};
}

void place(mjData* data, int geom, const Matrix3d& R, const Vector3d& p) {
  using RowMajor = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  Eigen::Map<RowMajor>(data->geom_xmat + 9 * geom) = R;
  Eigen::Map<Vector3d>(data->geom_xpos + 3 * geom) = p;
}

void run(benchmark::State& bench, const ShapePair& pair) {
  std::string assets;
  const std::string geom_a = geom("a", pair.a, assets), geom_b = geom("b", pair.b, assets);
  const std::string xml = fmt::format(
      "<mujoco><asset>{}</asset><worldbody>{}<body><freejoint/>{}</body></worldbody></mujoco>", assets, geom_a, geom_b);
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(xml.c_str(), nullptr, error, sizeof(error));
  mjModel* model = spec ? mj_compile(spec, nullptr) : nullptr;
  if (!model) {
    bench.SkipWithError(error);
    return;
  }
  mjData* data = mj_makeData(model);
  mj_forward(model, data);
  const GeomFrame frame = geom_frame(model, 1);
  std::vector<Pose> poses;
  for (const Pose& pose : pair.poses) poses.push_back(pose * Pose{frame.rotation, frame.position});
  // The table has entries for the lower type first.
  const bool swap = model->geom_type[1] < model->geom_type[0];
  const int first = swap ? 1 : 0, second = 1 - first;
  const mjfCollision function = mjCOLLISIONFUNC[model->geom_type[first]][model->geom_type[second]];
  std::array<mjPreContact, 50> contacts;
  std::size_t i = 0;
  int points = 0;
  for (auto _ : bench) {
    place(data, 1, poses[i].rotation, poses[i].position);
    points += function(model, data, contacts.data(), first, second, kReach);
    i = i + 1 < poses.size() ? i + 1 : 0;
  }
  bench.counters["points"] = static_cast<double>(points) / static_cast<double>(bench.iterations());
  mj_deleteData(data);
  mj_deleteModel(model);
  mj_deleteSpec(spec);
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const ShapePair& pair : shape_pairs()) {
    benchmark::RegisterBenchmark(("contacts/" + pair.name + "/mujoco").c_str(),
                                 [&pair](benchmark::State& bench) { run(bench, pair); });
  }
  return true;
}();

}  // namespace
}  // namespace stickslip::bench
