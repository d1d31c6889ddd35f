#include "stickslip/geometry/point_in_hull.h"

#include "stickslip/math/pack.h"

namespace stickslip {
namespace {

// Which plane the point is least below, of four lanes at a time; `height` is negative inside all of them.
int nearest_plane(const Hull& hull, const Vector3d& point, double& height) {
  const int count = static_cast<int>(hull.plane_x.size());
  Pack most = Pack{} - HUGE_VAL, index = Pack{};
  for (int first = 0; first < count; first += kPackSize) {
    const Pack value = load_pack(&hull.plane_x[first]) * point.x() + load_pack(&hull.plane_y[first]) * point.y() +
                       load_pack(&hull.plane_z[first]) * point.z() - load_pack(&hull.plane_offset[first]);
    const auto is_higher = value > most;
    most = is_higher ? value : most;
    index = is_higher ? Pack{} + static_cast<double>(first) : index;
  }
  int best = 0;
  height = -HUGE_VAL;
  for (int lane = 0; lane < kPackSize; ++lane) {
    if (most[lane] > height) {
      height = most[lane];
      best = static_cast<int>(index[lane]) + lane;
    }
  }
  return best;
}

}  // namespace

bool find_way_out(const CorePair& pair, Gap& gap) {
  const bool is_a_hull = pair.a.kind == ConvexCore::Kind::kHull && pair.b.kind == ConvexCore::Kind::kPoint;
  const bool is_b_hull = pair.b.kind == ConvexCore::Kind::kHull && pair.a.kind == ConvexCore::Kind::kPoint;
  if (!is_a_hull && !is_b_hull) return false;
  const Hull& hull = is_a_hull ? *pair.a.hull : *pair.b.hull;
  if (hull.plane_x.empty()) return false;
  const Vector3d point = is_a_hull ? pair.p : Vector3d(-(pair.R.transpose() * pair.p));
  const int plane = nearest_plane(hull, point, gap.distance);
  if (gap.distance > 0) return false;
  const Vector3d outward(hull.plane_x[plane], hull.plane_y[plane], hull.plane_z[plane]);
  gap.normal = is_a_hull ? outward : Vector3d(-(pair.R * outward));
  gap.on_a = is_a_hull ? Vector3d(point - gap.distance * outward) : Vector3d::Zero();
  return true;
}

}  // namespace stickslip
