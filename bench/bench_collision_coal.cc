// The same contacts by Coal: its contact patch where two faces meet, its single contact point elsewhere.
#include <benchmark/benchmark.h>
#include <coal/collision.h>
#include <coal/contact_patch.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>

#include "bench_shapes.h"

namespace stickslip::bench {
namespace {

std::shared_ptr<coal::CollisionGeometry> coal_shape(const Shape& shape) {
  if (const auto* box = std::get_if<Box>(&shape)) return std::make_shared<coal::Box>(box->size);
  if (const auto* capsule = std::get_if<Capsule>(&shape))
    return std::make_shared<coal::Capsule>(capsule->radius, capsule->length);
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return std::make_shared<coal::Sphere>(sphere->radius);
  const Mesh& mesh = *std::get<ConvexMesh>(shape).mesh;
  auto points = std::make_shared<std::vector<coal::Vec3s>>(mesh.vertices.begin(), mesh.vertices.end());
  return std::shared_ptr<coal::CollisionGeometry>(
      coal::ConvexBase::convexHull(points, static_cast<unsigned>(points->size()), true));
}

void run(benchmark::State& bench, const ShapePair& pair) {
  const auto a = coal_shape(pair.a), b = coal_shape(pair.b);
  std::vector<coal::Transform3s> poses;
  for (const Pose& pose : pair.poses) poses.emplace_back(pose.rotation, pose.position);
  const coal::Transform3s base;
  coal::CollisionRequest request(coal::CONTACT, 1);
  request.security_margin = kReach;
  coal::CollisionResult result;
  const bool flat = pair.name == "box-box" || pair.name == "box-capsule";
  const coal::ContactPatchRequest patch_request;
  coal::ContactPatchResult patches(patch_request);
  std::size_t i = 0;
  std::size_t points = 0;
  for (auto _ : bench) {
    result.clear();
    coal::collide(a.get(), base, b.get(), poses[i], request, result);
    if (flat) {
      patches.clear();
      coal::computeContactPatch(a.get(), base, b.get(), poses[i], result, patch_request, patches);
      if (patches.numContactPatches() > 0) points += patches.getContactPatch(0).size();
    } else {
      points += result.numContacts();
    }
    i = i + 1 < poses.size() ? i + 1 : 0;
  }
  bench.counters["points"] = static_cast<double>(points) / static_cast<double>(bench.iterations());
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const ShapePair& pair : shape_pairs()) {
    benchmark::RegisterBenchmark(("contacts/" + pair.name + "/coal").c_str(),
                                 [&pair](benchmark::State& bench) { run(bench, pair); });
  }
  return true;
}();

}  // namespace
}  // namespace stickslip::bench
