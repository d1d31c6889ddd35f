#include "stickslip/geometry/manifold.h"

#include <algorithm>

#include "stickslip/geometry/box_box_manifold.h"
#include "stickslip/geometry/face_overlap.h"
#include "stickslip/geometry/hull_on_plane.h"
#include "stickslip/geometry/reduce_points.h"

namespace stickslip {
namespace {

// The overlaps of all pairs of candidate faces, each scaled by its share and its perimeter: one that vanishes fades.
struct Union {
  static constexpr int kMax = 16 * OverlapPoints::kMax;
  int count = 0;
  double perimeter = 0;                        // mean of the overlaps', by their shares
  double points_share = 0;                     // of the pairs in which one side is a point
  std::array<ManifoldPoint, kMax + 2> points;  // room for two witnesses

  void add(const ManifoldPoint& point) {
    const auto end = points.begin() + count;
    const auto same = std::find_if(points.begin(), end, [&](const auto& p) { return is_same_point(p, point); });
    if (same != end)
      same->weight += point.weight;
    else if (count < kMax)
      points[count++] = point;
  }

  void add(const OverlapPoints& overlap, double share) {
    const double scale = share * overlap.perimeter;
    for (int i = 0; i < overlap.count; ++i) {
      ManifoldPoint point = overlap.points[i];
      point.weight *= scale;
      if (point.weight > 0) add(point);
    }
    perimeter += scale;
  }
};

ManifoldPoint witness(const Separation& between) {
  return {.point_a = between.point_a, .distance = between.distance, .weight = 1, .feature = 0};
}

double overlap_share(double perimeter, double scale) { return std::min(1.0, perimeter / (kSmallOverlap * scale)); }

int add_missing(ManifoldPoint* points, int count, const Separation& between, double scale) {
  const auto depth = [&](const ManifoldPoint& p) {
    return std::max(0.0, 1 - (p.distance - between.distance) / (kFullyMissing * scale));
  };
  double covered = 0, seen = 0;
  for (int i = 0; i < count; ++i) {
    points[i].distance = std::max(points[i].distance, between.distance);  // none can be deeper
    covered = std::max(covered, depth(points[i]) * std::min(1.0, points[i].weight / kFullWeight));
    seen = std::max(seen, depth(points[i]) * std::min(1.0, points[i].weight / kSomeWeight));
  }
  if (!(1 - covered > kMissing)) return count;
  // Of two deepest points the separation has one. Where both are among the points, though with little weight, they have
  // what is missing, and nothing jumps as the separation changes from one to the other.
  const double missing = kMissingWeight * (1 - covered);
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += depth(points[i]) * std::min(1.0, points[i].weight / kSomeWeight);
  for (int i = 0; i < count; ++i) {
    const double part = depth(points[i]) * std::min(1.0, points[i].weight / kSomeWeight);
    points[i].weight *= 1 - missing;
    if (part > 0) points[i].weight += missing * seen * part / sum;
  }
  if (seen == 1) return count;
  points[count] = witness(between);
  points[count].weight = missing * (1 - seen);
  return count + 1;
}

void finish(Union& all, const Separation& between, double scale, Manifold& manifold) {
  const double share = (1 - all.points_share) * overlap_share(all.perimeter, scale);
  if (all.count == 0 || !(share > 0)) {
    manifold.count = 1;
    manifold.points[0] = witness(between);
    return;
  }
  for (int i = 0; i < all.count; ++i) all.points[i].weight *= share / all.perimeter;
  if (share < 1) {
    all.points[all.count] = witness(between);
    all.points[all.count++].weight = 1 - share;
  }
  all.count = add_missing(all.points.data(), all.count, between, scale);
  manifold.count = reduce_points(all.points.data(), all.count, kMaxManifoldPoints);
  std::copy_n(all.points.begin(), manifold.count, manifold.points.begin());
}

// One overlap of two faces, by far the most frequent: no union to build. False if it is small.
bool single_overlap(const SupportFaces& a, const SupportFaces& b, const Separation& between, double scale,
                    Manifold& manifold) {
  if (a.count != 1 || b.count != 1) return false;
  OverlapPoints overlap;
  overlap_faces(a.face[0], b.face[0], between.normal, overlap);
  if (overlap.count == 0 || overlap_share(overlap.perimeter, scale) < 1) return false;
  overlap.count = add_missing(overlap.points.data(), overlap.count, between, scale);
  manifold.count = overlap.count > kMaxManifoldPoints
                       ? reduce_points(overlap.points.data(), overlap.count, kMaxManifoldPoints)
                       : overlap.count;
  std::copy_n(overlap.points.begin(), manifold.count, manifold.points.begin());
  return true;
}

void half_space_manifold(const Placed& a, const Placed& b, const Separation& between, Manifold& manifold) {
  if (b.shape->kind == ColliderKind::kHull && !b.shape->hull->faces.empty()) {
    return hull_on_plane(b, a.p, between.normal, manifold);
  }
  SupportFaces faces;
  support_faces_on_plane(b, -between.normal, faces);
  Union all;
  OverlapPoints overlap;
  for (int i = 0; i < faces.count; ++i) {
    if (faces.face[i].count == 1) {
      all.points_share += faces.face[i].share;
      continue;
    }
    overlap_plane(faces.face[i], a.p, between.normal, overlap);
    all.add(overlap, faces.face[i].share);
  }
  finish(all, between, b.shape->scale(), manifold);
}

}  // namespace

void make_manifold(const SupportFaces& a, const SupportFaces& b, const Separation& between, double scale,
                   Manifold& manifold) {
  manifold.normal = between.normal;
  if (single_overlap(a, b, between, scale, manifold)) return;
  Union all;
  OverlapPoints overlap;
  for (int i = 0; i < a.count; ++i) {
    for (int j = 0; j < b.count; ++j) {
      const double share = a.face[i].share * b.face[j].share;
      if (a.face[i].count == 1 || b.face[j].count == 1) {
        all.points_share += share;
        continue;
      }
      overlap_faces(a.face[i], b.face[j], between.normal, overlap);
      all.add(overlap, share);
    }
  }
  finish(all, between, scale, manifold);
}

void make_manifold(const Placed& a, const Placed& b, const Separation& between, Manifold& manifold) {
  manifold.normal = between.normal;
  if (a.shape->kind == ColliderKind::kHalfSpace) return half_space_manifold(a, b, between, manifold);
  if (a.shape->kind == ColliderKind::kSphere || b.shape->kind == ColliderKind::kSphere ||
      a.shape->kind == ColliderKind::kEllipsoid || b.shape->kind == ColliderKind::kEllipsoid) {
    manifold.count = 1;
    manifold.points[0] = witness(between);
    return;
  }
  if (a.shape->kind == ColliderKind::kBox && b.shape->kind == ColliderKind::kBox &&
      box_box_manifold(a, b, between.normal, manifold))
    return;
  SupportFaces faces_a, faces_b;
  support_faces(a, between.normal, faces_a);
  support_faces(b, -between.normal, faces_b);
  make_manifold(faces_a, faces_b, between, std::min(a.shape->scale(), b.shape->scale()), manifold);
}

}  // namespace stickslip
