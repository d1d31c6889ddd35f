#include "stickslip/geometry/hull_on_plane.h"

#include <algorithm>
#include <cmath>

#include "stickslip/geometry/feature_names.h"
#include "stickslip/geometry/hull_support.h"
#include "stickslip/geometry/reduce_points.h"

namespace stickslip {
namespace {

// A plane cuts nothing: what is left of an overlap are the weights of the hull's vertices.
struct VertexWeights {
  static constexpr int kMax = HullSupport::kMaxVertices;
  int count = 0;
  double sum = 0;
  std::array<int, kMax> vertex;
  std::array<double, kMax> weight;

  void add(int v, double w) {
    const auto end = vertex.begin() + count;
    const auto place = std::find(vertex.begin(), end, v) - vertex.begin();
    if (place == count) {
      if (count == kMax) return;
      vertex[count] = v;
      weight[count++] = 0;
    }
    weight[place] += w;
    sum += w;
  }

  void scale_to(double total) {
    const double factor = total / sum;
    for (int i = 0; i < count; ++i) weight[i] *= factor;
    sum = total;
  }
};

double length_across(const Vector3d& step, const Vector3d& direction) {
  const double along = step.dot(direction);
  return std::sqrt(std::max(0.0, step.squaredNorm() - along * along));
}

// Each corner has half of both its edges, as seen along the direction. Returns the faces' mean perimeter.
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

// All that are nearly as deep as the deepest have a part of it, so that nothing jumps where another becomes the
// deepest.
void add_deepest(const HullSupport& support, double near, double weight, VertexWeights& weights) {
  double sum = 0;
  for (int i = 0; i < support.vertex_count; ++i) sum += std::max(0.0, 1 - support.gap[i] / near);
  for (int i = 0; i < support.vertex_count; ++i) {
    const double part = 1 - support.gap[i] / near;
    if (part > 0) weights.add(support.vertex[i], weight * part / sum);
  }
}

// How well the deepest vertices are represented, from 0 to 1.
double covered(const HullSupport& support, double near, const VertexWeights& weights) {
  double best = 0;
  for (int i = 0; i < support.vertex_count; ++i) {
    const double part = 1 - support.gap[i] / near;
    if (part <= best) continue;
    const auto end = weights.vertex.begin() + weights.count;
    const auto place = std::find(weights.vertex.begin(), end, support.vertex[i]) - weights.vertex.begin();
    if (place < weights.count) best = std::max(best, part * std::min(1.0, weights.weight[place] / kFullWeight));
  }
  return best;
}

void weigh(const Hull& hull, const Vector3d& direction, double scale, VertexWeights& weights) {
  HullSupport support;
  find_hull_support(hull, direction, HullSupport::kMaxFaces, support);
  const double perimeter = weigh_corners(hull, support, direction, weights);
  const double share = std::min(1 - support.point_share, perimeter / (kSmallOverlap * scale));
  if (weights.sum > 0) weights.scale_to(share);
  const double near = kFullyMissing * scale;
  if (share < 1) add_deepest(support, near, 1 - share, weights);
  const double missing = 1 - covered(support, near, weights);
  if (!(missing > kMissing)) return;
  weights.scale_to(1 - kMissingWeight * missing);
  add_deepest(support, near, kMissingWeight * missing, weights);
}

// Merges while it gathers: a rim of a thousand corners needs no room for them all.
class Gathered {
 public:
  void add(const ManifoldPoint& point) {
    if (count_ == kRoom) count_ = reduce_points(points_.data(), count_, kRoom / 2);
    points_[count_++] = point;
  }

  void move_to(Manifold& manifold) {
    if (count_ > kMaxManifoldPoints) count_ = reduce_points(points_.data(), count_, kMaxManifoldPoints);
    manifold.count = count_;
    std::copy_n(points_.begin(), count_, manifold.points.begin());
  }

 private:
  static constexpr int kRoom = 64;
  int count_ = 0;
  std::array<ManifoldPoint, kRoom> points_;
};

}  // namespace

void hull_on_plane(const Placed& placed, const Vector3d& origin, const Vector3d& normal, Manifold& manifold) {
  const Hull& hull = *placed.shape->hull;
  VertexWeights weights;
  weigh(hull, placed.R.transpose() * -normal, placed.shape->scale(), weights);
  Gathered gathered;
  for (int i = 0; i < weights.count; ++i) {
    if (!(weights.weight[i] > 0)) continue;
    const Vector3d point = placed.R * hull.vertices[weights.vertex[i]] + placed.p;
    const double distance = normal.dot(point - origin);
    gathered.add({.point_a = point - distance * normal,
                  .distance = distance,
                  .weight = weights.weight[i],
                  .feature = vertex_name(weights.vertex[i])});
  }
  manifold.normal = normal;
  gathered.move_to(manifold);
}

}  // namespace stickslip
