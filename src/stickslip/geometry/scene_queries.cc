#include "stickslip/geometry/scene_queries.h"

#include <algorithm>

#include "stickslip/geometry/reach.h"

namespace stickslip {
namespace {

BodyDistance geometry_distance(const CollisionModel& model, const Kinematics& kinematics, int a, int b, double limit) {
  Placed placed_a = placed(model.geometries[a], kinematics), placed_b = placed(model.geometries[b], kinematics);
  const Vector3d origin = move_to_local_origin(placed_a, placed_b);
  const Separation between = separation(placed_a, placed_b, limit);
  return {between.distance, between.point_a + origin, between.point_b + origin, a, b};
}

}  // namespace

std::optional<BodyDistance> body_distance(const CollisionModel& model, const Kinematics& kinematics, int body_a,
                                          int body_b) {
  std::optional<BodyDistance> best;
  for (int a = 0; a < static_cast<int>(model.geometries.size()); ++a) {
    if (model.geometries[a].body != body_a) continue;
    const Aabb box_a = bounding_box(placed(model.geometries[a], kinematics));
    for (int b = 0; b < static_cast<int>(model.geometries.size()); ++b) {
      if (model.geometries[b].body != body_b || a == b) continue;
      if (!model.geometries[a].collider.is_convex() && !model.geometries[b].collider.is_convex()) continue;
      const double limit = best ? best->distance : std::numeric_limits<double>::infinity();
      if (best && gap(box_a, bounding_box(placed(model.geometries[b], kinematics))) > std::max(0.0, limit)) continue;
      const BodyDistance found = geometry_distance(model, kinematics, a, b, limit);
      if (!best || found.distance < best->distance) best = found;
    }
  }
  return best;
}

std::optional<SceneRayHit> cast_ray(const CollisionModel& model, const Kinematics& kinematics, const Ray& ray,
                                    int ignored_body) {
  std::optional<SceneRayHit> best;
  Ray shortened = ray;
  for (int i = 0; i < static_cast<int>(model.geometries.size()); ++i) {
    const CollisionGeometry& geometry = model.geometries[i];
    if (geometry.body == ignored_body) continue;
    const std::optional<RayHit> hit = ray_cast(placed(geometry, kinematics), shortened);
    if (!hit || (best && hit->distance >= best->hit.distance)) continue;
    best = {*hit, i, geometry.body};
    shortened.max_distance = hit->distance;
  }
  return best;
}

void find_overlaps(const CollisionModel& model, const Kinematics& kinematics, std::vector<BodyOverlap>& overlaps,
                   ContactWorkspace& workspace) {
  const std::vector<double> no_reach(model.geometries.size(), 0.0);
  ContactSet contacts;
  find_contacts(model, kinematics, no_reach, contacts, workspace);
  overlaps.clear();
  for (const ContactPatch& patch : contacts.patches) {
    double depth = 0;
    for (int i = patch.first; i < patch.first + patch.count; ++i) depth = std::max(depth, -contacts.distance[i]);
    if (depth > 0) overlaps.push_back({patch.body_a, patch.body_b, depth});
  }
}

}  // namespace stickslip
