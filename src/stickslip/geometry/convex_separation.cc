#include "stickslip/geometry/convex_core.h"
#include "stickslip/geometry/epa.h"
#include "stickslip/geometry/gjk.h"

namespace stickslip {
namespace {

// In A's axes, from A's origin: the cores' distance, and the point of A's core.
struct CoreResult {
  Vector3d normal;
  double distance;
  Vector3d on_a;
};

Separation finish(const CorePair& pair, const CoreResult& result) {
  Separation out;
  out.distance = result.distance - pair.a.radius - pair.b.radius;
  out.normal = pair.a.R * result.normal;
  out.point_a = pair.a.p + pair.a.R * (result.on_a + pair.a.radius * result.normal);
  out.point_b = out.point_a + out.distance * out.normal;
  return out;
}

// Three corners of polyhedra: the normal and the distance come from the faces and edges themselves, so that they are
// exact to round-off however short the distance.
void take_features(const CorePair& pair, const Simplex& simplex, CoreResult& result) {
  if (simplex.count != 3 || pair.is_curved) return;
  Vector3d normal = feature_normal(simplex.points[0], simplex.points[1], simplex.points[2]);
  if (normal.dot(result.normal) < 0) normal = -normal;
  const double distance = normal.dot(support(pair, normal).w);
  if (distance < result.distance - 1e-12 * pair.scale) return;
  result.normal = normal;
  result.distance = distance;
}

}  // namespace

Separation core_separation(const ConvexCore& a, const ConvexCore& b, double limit) {
  const CorePair pair(a, b);
  CoreResult result;
  Nearest nearest;
  find_nearest(pair, limit + a.radius + b.radius, nearest);
  if (nearest.status == Nearest::Status::kTouch) {
    LeastOverlap overlap;
    find_least_overlap(pair, nearest.simplex, overlap);
    result = {overlap.normal, overlap.distance, overlap.simplex.on_a()};
    take_features(pair, overlap.simplex, result);
    return finish(pair, result);
  }
  result = {nearest.point.normalized(), nearest.distance, nearest.simplex.on_a()};
  if (nearest.status == Nearest::Status::kApart) take_features(pair, nearest.simplex, result);
  return finish(pair, result);
}

Separation convex_separation(const Placed& a, const Placed& b, double limit) {
  return core_separation(core_of(a), core_of(b), limit);
}

}  // namespace stickslip
