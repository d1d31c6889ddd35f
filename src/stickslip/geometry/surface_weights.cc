#include "stickslip/geometry/surface_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stickslip {
namespace {

// A patch's presence s: the measure of its points, which fade with distance beyond the nearest point of all.
void find_presence(const SurfaceQuery& query) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const SurfacePoint& point : query.work.points) nearest = std::min(nearest, point.contact.distance);
  nearest = std::max(0.0, nearest);
  for (SurfacePatch& patch : query.work.patches) {
    patch.presence = 0;
    for (int i = patch.first; i < patch.first + patch.count; ++i) {
      const SurfacePoint& point = query.work.points[i];
      patch.presence += point.measure * std::clamp(1 - (point.contact.distance - nearest) / query.band, 0.0, 1.0);
    }
  }
}

// W_i = s_i / sum_j s_j max(0, n_i . n_j)^2
void weigh_each(std::vector<SurfacePatch>& patches) {
  for (SurfacePatch& patch : patches) {
    if (!(patch.presence > 0)) continue;
    double sum = 0;
    for (const SurfacePatch& other : patches) {
      const double cosine = std::max(0.0, patch.normal.dot(other.normal));
      sum += other.presence * cosine * cosine;
    }
    patch.weight = patch.presence / sum;
  }
}

// Whether no two normals are more than a right angle apart, since none is more than half of that from their middle.
bool is_narrow(const std::vector<SurfacePatch>& patches) {
  Vector3d middle = Vector3d::Zero();
  for (const SurfacePatch& patch : patches) middle += patch.presence * patch.normal;
  const double limit = M_SQRT1_2 * middle.norm();
  return std::all_of(patches.begin(), patches.end(), [&](const SurfacePatch& patch) {
    return !(patch.presence > 0) || patch.normal.dot(middle) > limit;
  });
}

// On ground that is not steep all cosines are positive, and the sum is a quadratic form of n_i: no pairs.
void weigh(std::vector<SurfacePatch>& patches) {
  for (SurfacePatch& patch : patches) patch.weight = 0;
  if (!is_narrow(patches)) return weigh_each(patches);
  Matrix3d sum = Matrix3d::Zero();
  for (const SurfacePatch& patch : patches)
    if (patch.presence > 0) sum += patch.presence * patch.normal * patch.normal.transpose();
  for (SurfacePatch& patch : patches)
    if (patch.presence > 0) patch.weight = patch.presence / patch.normal.dot(sum * patch.normal);
}

}  // namespace

void weigh_patches(const SurfaceQuery& query) {
  find_presence(query);
  weigh(query.work.patches);
}

}  // namespace stickslip
