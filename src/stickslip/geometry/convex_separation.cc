#include "stickslip/geometry/convex_core.h"
#include "stickslip/geometry/epa.h"
#include "stickslip/geometry/gjk.h"
#include "stickslip/geometry/point_in_hull.h"
#include "stickslip/geometry/smooth_refine.h"

namespace stickslip {
namespace {

// Curved cores: how near GJK has to come, as a share of the scale, before Newton's method; further if that fails.
// The second list is EPA's, which has to choose among places to part that differ little.
constexpr double kApproaches[] = {1e-3, 1e-6, 1e-9};
constexpr double kOverlapApproaches[] = {1e-6, 1e-10};
constexpr double kRoundOff = 1e-14;  // of the scale

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
  if (normal.isZero(0)) return;  // corners in a line: the triangle was one by round-off of where the cores stand
  if (normal.dot(gap.normal) < 0) normal = -normal;
  const double distance = normal.dot(support(pair, normal).w);
  if (distance < gap.distance - 1e-12 * pair.scale) return;
  gap.normal = normal;
  gap.distance = distance;
}

Gap flat_overlap(const CorePair& pair, const Simplex& start) {
  Gap gap;
  if (find_way_out(pair, gap)) return gap;
  LeastOverlap overlap;
  find_least_overlap(pair, start, 0, overlap);
  gap = {overlap.normal, overlap.distance, overlap.simplex.on_a()};
  if (overlap.simplex.count == 3) take_features(pair, overlap.simplex, gap);
  return gap;
}

// The way out along a cylinder's axis. EPA may end on another that is hardly longer: about a common axis all that are
// across it are alike, and it never looks along it.
void try_axes(const CorePair& pair, const Simplex& simplex, Gap& best) {
  const auto try_axis = [&](const Vector3d& axis) {
    for (const double sign : {1.0, -1.0}) {
      Gap gap{sign * axis, 0, Vector3d::Zero()};
      if (gap.normal.dot(support(pair, gap.normal).w) <= best.distance + kRoundOff * pair.scale) continue;
      refine(pair, simplex, gap);
      if (gap.distance > best.distance) best = gap;
    }
  };
  if (pair.a.kind == ConvexCore::Kind::kCylinder) try_axis(Vector3d::UnitZ());
  if (pair.b.kind == ConvexCore::Kind::kCylinder) try_axis(pair.R.col(2));
}

Gap curved_overlap(const CorePair& pair, const Simplex& start) {
  Gap best{.normal = Vector3d::UnitZ(), .distance = -HUGE_VAL, .on_a = Vector3d::Zero()};
  LeastOverlap overlap;
  for (const double approach : kOverlapApproaches) {
    find_least_overlap(pair, start, approach, overlap);
    Gap gap{overlap.normal, overlap.distance, overlap.simplex.on_a()};
    const bool is_exact = refine(pair, overlap.simplex, gap);
    if (gap.distance > best.distance) best = gap;
    if (is_exact) break;
  }
  try_axes(pair, overlap.simplex, best);
  return best;
}

Gap curved_gap(const CorePair& pair, double limit, Nearest& nearest) {
  Gap best{.normal = Vector3d::UnitZ(), .distance = -HUGE_VAL, .on_a = Vector3d::Zero()};
  for (const double approach : kApproaches) {
    find_nearest(pair, limit, approach, nearest);
    if (nearest.status == Nearest::Status::kTouch) break;
    Gap gap{nearest.point.normalized(), nearest.distance, nearest.simplex.on_a()};
    if (nearest.status == Nearest::Status::kFar) return gap;
    const bool is_exact = refine(pair, nearest.simplex, gap);
    if (gap.distance > best.distance) best = gap;
    if (!is_exact) continue;
    // Where there is room between them, the most in a neighbourhood is the most of all. Where they overlap it is not.
    if (gap.distance > 0) return gap;
    break;
  }
  const Gap overlap = curved_overlap(pair, nearest.simplex);
  return overlap.distance > best.distance ? overlap : best;
}

Gap flat_gap(const CorePair& pair, double limit, Nearest& nearest) {
  find_nearest(pair, limit, 0, nearest);
  if (nearest.status == Nearest::Status::kTouch) return flat_overlap(pair, nearest.simplex);
  Gap gap{nearest.point.normalized(), nearest.distance, nearest.simplex.on_a()};
  if (nearest.status == Nearest::Status::kApart && nearest.simplex.count == 3) {
    take_features(pair, nearest.simplex, gap);
  }
  return gap;
}

}  // namespace

Separation core_separation(const ConvexCore& a, const ConvexCore& b, double limit) {
  const CorePair pair(a, b);
  const double core_limit = limit + a.radius + b.radius;
  Nearest nearest;
  return finish(pair, pair.is_curved ? curved_gap(pair, core_limit, nearest) : flat_gap(pair, core_limit, nearest));
}

Separation convex_separation(const Placed& a, const Placed& b, double limit) {
  return core_separation(core_of(a), core_of(b), limit);
}

}  // namespace stickslip
