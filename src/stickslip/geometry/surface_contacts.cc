#include "stickslip/geometry/surface_contacts.h"

#include <cmath>

#include "stickslip/geometry/reduce_points.h"
#include "stickslip/geometry/surface_gather.h"
#include "stickslip/geometry/surface_points.h"
#include "stickslip/geometry/surface_rescue.h"
#include "stickslip/geometry/surface_weights.h"

namespace stickslip {
namespace {

// Patches fade in over this part of the body's size before they touch.
constexpr double kBand = 0.05;
// Normals closer than this [rad] are one.
constexpr double kSameNormal = 1e-9;

void gather_points(const SurfaceQuery& query, const SurfacePatch& patch) {
  for (int i = 0; i < patch.count; ++i) {
    SurfacePoint& point = query.work.points[patch.first + i];
    if (point.contact.distance > query.reach || !(point.measure > kNegligible)) continue;
    point.contact.weight = patch.weight * point.measure / patch.measure;
    query.work.gathered.push_back(point.contact);
  }
}

// Points of the same place and depth, which neighbouring triangles or edges report alike.
void merge_twins(std::vector<ManifoldPoint>& points, double tolerance) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::size_t twin = 0;
    while (twin < kept && ((points[twin].point_a - points[i].point_a).squaredNorm() > tolerance * tolerance ||
                           std::abs(points[twin].distance - points[i].distance) > tolerance)) {
      ++twin;
    }
    if (twin < kept) {
      points[twin].weight += points[i].weight;
      points[twin].feature = std::min(points[twin].feature, points[i].feature);
    } else {
      points[kept++] = points[i];
    }
  }
  points.resize(kept);
}

int make_manifolds(const SurfaceQuery& query, const Placed& surface, std::vector<Manifold>& out) {
  const std::size_t before = out.size();
  std::vector<SurfacePatch>& patches = query.work.patches;
  std::vector<ManifoldPoint>& gathered = query.work.gathered;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (!(patches[i].weight > 0)) continue;
    gathered.clear();
    gather_points(query, patches[i]);
    for (std::size_t j = i + 1; j < patches.size(); ++j) {
      if (!(patches[j].weight > 0) || (patches[j].normal - patches[i].normal).norm() > kSameNormal) continue;
      gather_points(query, patches[j]);
      patches[j].weight = 0;
    }
    merge_twins(gathered, 1e-12 * query.scale);
    if (gathered.empty()) continue;
    Manifold& manifold = out.emplace_back();
    manifold.normal = -(surface.R * patches[i].normal);
    manifold.count = reduce_points(gathered.data(), static_cast<int>(gathered.size()), kMaxManifoldPoints);
    for (int k = 0; k < manifold.count; ++k) {
      manifold.points[k] = gathered[k];
      manifold.points[k].point_a = surface.R * gathered[k].point_a + surface.p;
    }
  }
  return static_cast<int>(out.size() - before);
}

}  // namespace

int surface_contacts(const Placed& convex, const Placed& surface, double reach, SurfaceWorkspace& workspace,
                     std::vector<Manifold>& out) {
  const double scale = convex.shape->scale();
  const SurfaceQuery query{
      .body = {convex.shape, surface.R.transpose() * convex.R, surface.R.transpose() * (convex.p - surface.p)},
      .surface = {surface.shape->surface.get(), surface.shape->terrain.get()},
      .reach = reach,
      .band = kBand * scale,
      .scale = scale,
      .work = workspace};
  gather_overlaps(query);
  make_points(workspace);
  complete_points(query);
  weigh_patches(query);
  return make_manifolds(query, surface, out);
}

}  // namespace stickslip
