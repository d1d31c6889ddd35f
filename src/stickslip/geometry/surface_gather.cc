#include "stickslip/geometry/surface_gather.h"

#include <algorithm>

#include "stickslip/geometry/normal_arc.h"
#include "stickslip/geometry/surface_doubts.h"
#include "stickslip/geometry/surface_patches.h"

namespace stickslip {
namespace {

// Directions are found for a body with edges as if it were this part of its size farther out.
constexpr double kLift = 0.01;

void add_push(const SurfaceQuery& query, const SurfaceTriangle& t, const PushDirection& push) {
  SurfaceWorkspace& work = query.work;
  if (push.share <= 0) return;
  const bool has_discs = query.body.shape->kind == ColliderKind::kCylinder;
  const double depth = has_discs ? -distance_along(query.body, t.vertex[push.k], push.normal) : 0;
  if (work.faces.normal != push.normal || work.faces.depth != depth) {  // a floor has one normal
    find_body_faces(query.body, push.normal, depth, work.faces);
  }
  const std::size_t first = work.parts.size();
  add_overlap({t, push, work.faces, query.scale, query.surface}, work.parts);
  if (work.parts.size() == first) return;
  const int sheet = patch_of_facet(work, t.facet);
  const int index = push.feature == PushDirection::Feature::kFace ? sheet : new_patch(work);
  work.patches[index].normal = push.normal;
  work.patches[index].sheet = sheet;
  doubt_parts(query, t, push.normal, first, sheet);
  for (std::size_t i = first; i < work.parts.size(); ++i) {
    work.parts[i].group = index;
    work.parts[i].length /= work.faces.measure;
  }
}

// Bodies with edges. In a ridge there are several directions along which they are least deep, and the best changes at
// once; seen from just outside there is one nearest feature, and it changes gradually.
bool is_angular(const Collider& shape) {
  return shape.kind == ColliderKind::kBox || shape.kind == ColliderKind::kHull || shape.kind == ColliderKind::kCylinder;
}

void add_triangle(const SurfaceQuery& query, const SurfaceTriangle& t) {
  const double room = query.room();
  if (distance_along(query.body, t.vertex[0], t.normal) > room) return;
  PushDirections& directions = query.work.directions;
  Placed lifted = query.body;
  if (is_angular(*lifted.shape)) lifted.p += kLift * query.scale * t.normal;
  find_push_directions(query.body, lifted, query.surface, t, room, query.work.fans, directions);
  for (int i = 0; i < directions.count; ++i) add_push(query, t, directions.push[i]);
}

}  // namespace

void gather_overlaps(const SurfaceQuery& query) {
  SurfaceWorkspace& work = query.work;
  clear_patches(work);
  work.parts.clear();
  work.points.clear();
  work.fans.clear();
  work.faces.normal.setZero();
  visit_surface(query, query.room(), [&](const SurfaceTriangle& t) { add_triangle(query, t); });
  if (query.surface.mesh) judge_on_mesh(query);
}

}  // namespace stickslip
