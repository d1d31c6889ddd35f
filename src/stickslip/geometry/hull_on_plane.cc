#include "stickslip/geometry/hull_on_plane.h"

#include <algorithm>

#include "stickslip/geometry/feature_names.h"
#include "stickslip/geometry/hull_weights.h"
#include "stickslip/geometry/reduce_points.h"

namespace stickslip {
namespace {

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
  const Vector3d direction = placed.R.transpose() * -normal;
  HullSupport support;
  find_hull_support(hull, direction, HullSupport::kMaxFaces, support);
  HullWeights all;
  find_hull_weights(hull, support, direction, placed.shape->scale(), all);
  // A plane cuts nothing: what is left of an overlap are the weights of the hull's vertices.
  VertexWeights& weights = all.corners;
  for (int i = 0; i < all.farthest.count; ++i) {
    weights.add(all.farthest.vertex[i], (all.point_weight + all.missing_weight) * all.farthest.weight[i]);
  }
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
