#include "stickslip/geometry/hull_weights.h"

#include "stickslip/geometry/length_across.h"
#include "stickslip/geometry/manifold.h"

namespace stickslip {
namespace {

// Returns the faces' mean perimeter.
double weigh_corners(const Hull& hull, const HullSupport& support, const Vector3d& direction, VertexWeights& weights) {
  double mean = 0;
  for (int i = 0; i < support.count; ++i) {
    const Hull::Face& face = hull.faces[support.face[i]];
    const int* corner = hull.face_vertices.data() + face.first;
    const auto edge_after = [&](int k) {
      const int next = k + 1 < face.count ? k + 1 : 0;
      return length_across(hull.vertices[corner[next]] - hull.vertices[corner[k]], direction);
    };
    double before = edge_after(face.count - 1);
    for (int k = 0; k < face.count; ++k) {
      const double after = edge_after(k);
      weights.add(corner[k], 0.5 * support.share[i] * (before + after));
      mean += support.share[i] * after;
      before = after;
    }
  }
  return mean;
}

void weigh_farthest(const HullSupport& support, double near, VertexWeights& weights) {
  if (weights.count > 0) return;
  for (int i = 0; i < support.vertex_count; ++i) {
    if (const double part = 1 - support.gap[i] / near; part > 0) weights.add(support.vertex[i], part);
  }
  weights.scale_to(1);
}

// How well the farthest vertices are represented, from 0 to 1.
double covered(const HullSupport& support, double near, const HullWeights& weights) {
  const VertexWeights &corners = weights.corners, &farthest = weights.farthest;
  double best = 0;
  for (int i = 0; i < support.vertex_count; ++i) {
    const double part = 1 - support.gap[i] / near;
    if (part <= best) continue;
    double weight = 0;
    if (const int k = corners.find(support.vertex[i]); k < corners.count) weight += corners.weight[k];
    if (const int k = farthest.find(support.vertex[i]); k < farthest.count) {
      weight += weights.point_weight * farthest.weight[k];
    }
    best = std::max(best, part * std::min(1.0, weight / kFullWeight));
  }
  return best;
}

}  // namespace

void find_hull_weights(const Hull& hull, const HullSupport& support, const Vector3d& direction, double scale,
                       HullWeights& weights) {
  weights.corners.count = weights.farthest.count = 0;
  weights.corners.sum = weights.farthest.sum = 0;
  weights.missing_weight = 0;
  const double near = kFullyMissing * scale;
  const double perimeter = weigh_corners(hull, support, direction, weights.corners);
  const double share = std::min(1 - support.point_share, perimeter / (kSmallOverlap * scale));
  if (weights.corners.sum > 0) weights.corners.scale_to(share);
  weights.point_weight = 1 - share;
  if (share < 1) weigh_farthest(support, near, weights.farthest);
  const double missing = 1 - covered(support, near, weights);
  if (!(missing > kMissing)) return;
  weights.missing_weight = kMissingWeight * missing;
  weights.point_weight *= 1 - weights.missing_weight;
  if (weights.corners.sum > 0) weights.corners.scale_to((1 - weights.missing_weight) * weights.corners.sum);
  weigh_farthest(support, near, weights.farthest);
}

}  // namespace stickslip
