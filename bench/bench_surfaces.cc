// Contacts of bodies that lie on bumpy ground, as a height field and as a mesh of the same triangles.
#include <benchmark/benchmark.h>

#include <random>

#include "stickslip/geometry/terrain.h"
#include "stickslip/shapes/mesh_mass.h"
#include "stickslip/stickslip.h"

namespace stickslip::bench {
namespace {

constexpr int kPoses = 256;
constexpr int kVertices = 21;      // a side
constexpr double kSide = 2.0;      // [m]
constexpr double kBumps = 0.03;    // [m], from the lowest to the highest
constexpr double kDepth = 1e-3;    // [m]
constexpr double kReach = 0.002;   // [m]
constexpr double kBodySize = 0.2;  // [m]: two cells of the ground

using Random = std::mt19937;

double uniform(Random& random) { return std::uniform_real_distribution<double>(-1, 1)(random); }
Vector3d direction(Random& random) {
  std::normal_distribution<double> normal;
  return Vector3d(normal(random), normal(random), normal(random)).normalized();
}

HeightField ground_field() {
  Random random(1);
  auto grid = std::make_shared<HeightGrid>();
  grid->rows = grid->columns = kVertices;
  for (int i = 0; i < kVertices * kVertices; ++i) grid->heights.push_back(0.5 * kBumps * uniform(random));
  return {grid, {kSide, kSide, 0.5}};
}

TriangleMesh ground_mesh() {
  const auto terrain = make_terrain(ground_field());
  auto mesh = std::make_shared<Mesh>();
  for (int v = 0; v < kVertices * kVertices; ++v)
    mesh->vertices.push_back(terrain->vertex(v / kVertices, v % kVertices));
  for (int i = 0; i < terrain->triangle_count(); ++i)
    mesh->triangles.push_back(surface_triangle(*terrain, i).vertex_index);
  return {mesh};
}

Shape body_shape(const std::string& name) {
  if (name == "sphere") return Sphere{0.5 * kBodySize};
  if (name == "capsule") return Capsule{0.25 * kBodySize, 0.5 * kBodySize};
  if (name == "box") return Box{Vector3d(1, 0.8, 0.6) * kBodySize};
  if (name == "cylinder") return Cylinder{0.5 * kBodySize, 0.8 * kBodySize};
  constexpr int kCorners = 60;
  Random random(2);
  auto mesh = std::make_shared<Mesh>();
  for (int i = 0; i < kCorners; ++i) mesh->vertices.push_back(0.5 * kBodySize * direction(random));
  mesh->triangles = convex_hull(*mesh).triangles;
  return ConvexMesh{mesh};
}

// Half of them on a face and tilted a little, half turned at random; lowered until they overlap a little.
std::vector<Pose> lying_poses(const Collider& ground, const Collider& body) {
  constexpr double kTilt = 0.02;
  Random random(3);
  std::vector<Pose> poses;
  for (int i = 0; i < kPoses; ++i) {
    const double angle = (i % 2 ? kTilt : M_PI) * uniform(random);
    const Matrix3d yaw = Eigen::AngleAxisd(M_PI * uniform(random), Vector3d::UnitZ()).toRotationMatrix();
    Pose pose{yaw * Eigen::AngleAxisd(angle, direction(random)).toRotationMatrix(),
              {0.3 * kSide * uniform(random), 0.3 * kSide * uniform(random), kBodySize}};
    for (int step = 0; step < 20; ++step) {
      const double gap = separation({&ground}, {&body, pose.rotation, pose.position}).distance;
      if (gap <= 0) break;
      pose.position.z() -= gap;
    }
    pose.position.z() -= kDepth;
    poses.push_back(pose);
  }
  return poses;
}

void run(benchmark::State& bench, const Collider& ground, const std::string& name) {
  const Collider body = make_collider(body_shape(name));
  std::vector<Placed> placed;
  for (const Pose& pose : lying_poses(ground, body)) placed.push_back({&body, pose.rotation, pose.position});
  const Placed base{&ground};
  ContactWorkspace workspace;
  std::size_t i = 0;
  int points = 0;
  for (auto _ : bench) {
    collide(base, placed[i], kReach, workspace, kMaxManifoldPoints);
    for (const Manifold& manifold : workspace.manifolds) points += manifold.count;
    i = i + 1 < placed.size() ? i + 1 : 0;
  }
  bench.counters["points"] = static_cast<double>(points) / static_cast<double>(bench.iterations());
}

[[maybe_unused]] const bool kRegistered = [] {
  static const Collider kField = make_collider(ground_field()), kMesh = make_collider(ground_mesh());
  for (const char* name : {"sphere", "capsule", "box", "cylinder", "hull"}) {
    benchmark::RegisterBenchmark((std::string("surface/field-") + name).c_str(),
                                 [name](benchmark::State& bench) { run(bench, kField, name); });
    benchmark::RegisterBenchmark((std::string("surface/mesh-") + name).c_str(),
                                 [name](benchmark::State& bench) { run(bench, kMesh, name); });
  }
  return true;
}();

}  // namespace
}  // namespace stickslip::bench
