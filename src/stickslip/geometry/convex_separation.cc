#include "stickslip/geometry/convex_core.h"
#include "stickslip/geometry/epa.h"
#include "stickslip/geometry/gjk.h"
#include "stickslip/geometry/smooth_refine.h"

namespace stickslip {
namespace {

Separation finish(const CorePair& pair, const Gap& gap) {
  Separation out;
  out.distance = gap.distance - pair.a.radius - pair.b.radius;
  out.normal = pair.a.R * gap.normal;
  out.point_a = pair.a.p + pair.a.R * (gap.on_a + pair.a.radius * gap.normal);
  out.point_b = out.point_a + out.distance * out.normal;
  return out;
}

// Three corners of polyhedra: the normal and the distance come from the faces and edges themselves, so that they are
// exact to round-off however short the distance.
void take_features(const CorePair& pair, const Simplex& simplex, Gap& gap) {
  Vector3d normal = feature_normal(simplex.points[0], simplex.points[1], simplex.points[2]);
  if (normal.dot(gap.normal) < 0) normal = -normal;
  const double distance = normal.dot(support(pair, normal).w);
  if (distance < gap.distance - 1e-12 * pair.scale) return;
  gap.normal = normal;
  gap.distance = distance;
}

void end_exactly(const CorePair& pair, const Simplex& simplex, Gap& gap) {
  if (pair.is_curved) {
    refine(pair, simplex, gap);
  } else if (simplex.count == 3) {
    take_features(pair, simplex, gap);
  }
}

}  // namespace

Separation core_separation(const ConvexCore& a, const ConvexCore& b, double limit) {
  const CorePair pair(a, b);
  Gap gap;
  Nearest nearest;
  find_nearest(pair, limit + a.radius + b.radius, nearest);
  if (nearest.status == Nearest::Status::kTouch) {
    LeastOverlap overlap;
    find_least_overlap(pair, nearest.simplex, overlap);
    gap = {overlap.normal, overlap.distance, overlap.simplex.on_a()};
    end_exactly(pair, overlap.simplex, gap);
  } else {
    gap = {nearest.point.normalized(), nearest.distance, nearest.simplex.on_a()};
    if (nearest.status == Nearest::Status::kApart) end_exactly(pair, nearest.simplex, gap);
  }
  return finish(pair, gap);
}

Separation convex_separation(const Placed& a, const Placed& b, double limit) {
  return core_separation(core_of(a), core_of(b), limit);
}

}  // namespace stickslip
