#include "stickslip/geometry/surface_rescue.h"

#include <algorithm>
#include <limits>

#include "stickslip/geometry/normal_arc.h"
#include "stickslip/geometry/surface_doubts.h"
#include "stickslip/geometry/surface_patches.h"
#include "stickslip/geometry/surface_points.h"

namespace stickslip {
namespace {

// Overlaps that are less than this part of the body's face are completed by its deepest point.
constexpr double kSmallFace = 1e-2;
// How much a touch counts that nothing else has seen, as a part of the body's face; all of it where what was seen is
// farther away than this part of the body's size.
constexpr double kUnseen = 1e-2, kClearlyUnseen = 1e-3;

struct Rescue {
  double distance = -std::numeric_limits<double>::infinity();
  Vector3d normal = Vector3d::Zero();
};

void try_rescue(const SurfaceQuery& query, const SurfaceTriangle& t, Rescue& best) {
  const double distance = distance_along(query.body, t.vertex[0], t.normal);
  if (distance >= 0 || distance <= best.distance || sheet_distance(query, t) > 0) return;
  best = {distance, t.normal};
}

// A body may touch the surface where none of its faces and none of the surface's normals say so: an edge that crosses
// another, a disc's rim between two of its points. Then the triangle pushes along its normal, as far as it takes to
// come free of it: nothing at first. Of several the one that is deepest pushes, so that one which is just touched
// changes nothing. As soon as anything else touches it is over: it ends gradually before.
void try_unseen(const SurfaceQuery& query, const SurfaceTriangle& t, Rescue& best) {
  double out = -distance_along(query.body, t.vertex[0], t.normal), in = 0;
  if (!(out > 0) || sheet_distance(query, t) > 0) return;
  constexpr int kHalvings = 40;
  SurfaceQuery moved = query;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (in + out);
    moved.body.p = query.body.p + middle * t.normal;
    (sheet_distance(moved, t) > 0 ? out : in) = middle;
  }
  if (best.normal.isZero() || -out < best.distance) best = {-out, t.normal};
}

// Wholly below a terrain a body touches no triangle: up it goes.
void try_lift(const SurfaceQuery& query, Rescue& best) {
  const Terrain& terrain = *query.surface.terrain;
  const Vector3d& p = query.body.p;
  if (!terrain.is_in_ground(p)) return;
  const Vector3d above(p.x(), p.y(), terrain.height_at(p.x(), p.y()));
  best = {distance_along(query.body, above, Vector3d::UnitZ()), Vector3d::UnitZ()};
}

}  // namespace

void complete_points(const SurfaceQuery& query) {
  SurfaceWorkspace& work = query.work;
  double overlap = 0, nearest = std::numeric_limits<double>::infinity();
  for (const SurfacePatch& patch : work.patches) overlap += patch.measure;
  for (const SurfacePoint& point : work.points) {
    if (point.measure > kNegligible) nearest = std::min(nearest, point.contact.distance);  // the rest is left out later
  }
  if (overlap >= kSmallFace && nearest <= 0) return;
  Rescue best;
  double measure = kSmallFace - overlap;
  if (measure > 0) {
    visit_surface(query, 0, [&](const SurfaceTriangle& t) { try_rescue(query, t, best); });
    if (best.normal.isZero() && query.surface.terrain) try_lift(query, best);
  } else {
    visit_surface(query, 0, [&](const SurfaceTriangle& t) { try_unseen(query, t, best); });
    measure = kUnseen * std::min(1.0, nearest / (kClearlyUnseen * query.scale));
  }
  if (best.normal.isZero()) return;
  SurfacePatch& patch = work.patches[new_patch(work)];
  patch.normal = best.normal;
  patch.first = static_cast<int>(work.points.size());
  const Vector3d point = support_point(query.body, -best.normal);
  append_points({.length = measure,
                 .point = {point, point},
                 .distance = {best.distance, best.distance},
                 .ramp = {1, 1},
                 .feature = {1, 1}},
                patch, work);
}

}  // namespace stickslip
