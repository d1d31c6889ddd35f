#include "stickslip/geometry/manifold.h"

#include <algorithm>

#include "stickslip/geometry/box_box_manifold.h"
#include "stickslip/geometry/face_overlap.h"
#include "stickslip/geometry/reduce_points.h"

namespace stickslip {
namespace {

// The overlaps of all pairs of candidate faces, each scaled by its share and its perimeter: one that vanishes fades.
struct Union {
  static constexpr int kMax = 4 * OverlapPoints::kMax;
  int count = 0;
  double weight = 0;
  double largest_perimeter = 0;
  std::array<ManifoldPoint, kMax + 1> points;

  void add(const OverlapPoints& overlap, double scale) {
    for (int i = 0; i < overlap.count && count < kMax; ++i) {
      points[count] = overlap.points[i];
      points[count++].weight *= scale;
    }
    weight += scale;
    largest_perimeter = std::max(largest_perimeter, overlap.perimeter);
  }
};

ManifoldPoint witness(const Separation& between) {
  return {.point_a = between.point_a, .distance = between.distance, .weight = 1, .feature = 0};
}

// A point against anything touches at the separation's own point. It does not vanish, so it counts as much as the
// largest overlap it is blended with.
void add_witness(const Separation& between, double share, Union& all) {
  if (all.count == Union::kMax) return;
  const double scale = share * (all.largest_perimeter > 0 ? all.largest_perimeter : 1);
  all.points[all.count] = witness(between);
  all.points[all.count++].weight = scale;
  all.weight += scale;
}

// Corners of overlaps can miss the deepest point: where a line contact bends over a polygon's corner, or on a disc's
// rim that is all but level. It is added with a weight that grows with what is missing, so that nothing jumps when it
// comes and goes.
constexpr double kMissing = 1e-10;      // of the scale: round-off
constexpr double kFullyMissing = 1e-4;  // of the scale: the deepest point carries as much as all others

int add_missing(ManifoldPoint* points, int count, const Separation& between, double scale) {
  double deepest = points[0].distance;
  for (int i = 1; i < count; ++i) deepest = std::min(deepest, points[i].distance);
  const double missing = deepest - between.distance;
  if (!(missing > kMissing * scale)) return count;
  const double weight = 0.5 * std::min(1.0, missing / (kFullyMissing * scale));
  for (int i = 0; i < count; ++i) points[i].weight *= 1 - weight;
  points[count] = witness(between);
  points[count].weight = weight;
  return count + 1;
}

void finish(Union& all, const Separation& between, double scale, Manifold& manifold) {
  if (all.count == 0 || !(all.weight > 0)) {
    manifold.count = 1;
    manifold.points[0] = witness(between);
    return;
  }
  for (int i = 0; i < all.count; ++i) all.points[i].weight /= all.weight;
  all.count = add_missing(all.points.data(), all.count, between, scale);
  manifold.count = reduce_points(all.points.data(), all.count, kMaxManifoldPoints);
  std::copy_n(all.points.begin(), manifold.count, manifold.points.begin());
}

// One polygon and one overlap, by far the most frequent: no union to build.
bool single_overlap(const SupportFaces& a, const SupportFaces& b, const Separation& between, double scale,
                    Manifold& manifold) {
  if (a.count != 1 || b.count != 1) return false;
  OverlapPoints overlap;
  overlap_faces(a.face[0], b.face[0], between.normal, overlap);
  if (overlap.count == 0) {
    manifold.count = 1;
    manifold.points[0] = witness(between);
    return true;
  }
  overlap.count = add_missing(overlap.points.data(), overlap.count, between, scale);
  manifold.count = overlap.count > kMaxManifoldPoints
                       ? reduce_points(overlap.points.data(), overlap.count, kMaxManifoldPoints)
                       : overlap.count;
  std::copy_n(overlap.points.begin(), manifold.count, manifold.points.begin());
  return true;
}

void half_space_manifold(const Placed& a, const Placed& b, const Separation& between, Manifold& manifold) {
  SupportFaces faces;
  support_faces_on_plane(b, -between.normal, faces);
  Union all;
  double points_share = 0;
  OverlapPoints overlap;
  for (int i = 0; i < faces.count; ++i) {
    if (faces.face[i].count == 1) {
      points_share += faces.face[i].share;
      continue;
    }
    overlap_plane(faces.face[i], a.p, between.normal, overlap);
    all.add(overlap, faces.face[i].share * overlap.perimeter);
  }
  if (points_share > 0) add_witness(between, points_share, all);
  finish(all, between, b.shape->scale(), manifold);
}

}  // namespace

void make_manifold(const SupportFaces& a, const SupportFaces& b, const Separation& between, double scale,
                   Manifold& manifold) {
  manifold.normal = between.normal;
  if (single_overlap(a, b, between, scale, manifold)) return;
  Union all;
  double points_share = 0;
  OverlapPoints overlap;
  for (int i = 0; i < a.count; ++i) {
    for (int j = 0; j < b.count; ++j) {
      const double share = a.face[i].share * b.face[j].share;
      if (a.face[i].count == 1 || b.face[j].count == 1) {
        points_share += share;
        continue;
      }
      overlap_faces(a.face[i], b.face[j], between.normal, overlap);
      all.add(overlap, share * overlap.perimeter);
    }
  }
  if (points_share > 0) add_witness(between, points_share, all);
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
