#include <algorithm>
#include <cmath>
#include <limits>

#include "stickslip/geometry/primitive_separation.h"
#include "stickslip/geometry/segments.h"

namespace stickslip {
namespace {

// Everything in the box's frame, the capsule's core being c + t u, |t| <= length.
struct CoreInBox {
  Vector3d c, u;
  double length = 0;
  Vector3d half;

  Vector3d at(double t) const { return c + t * u; }
  Vector3d excess(double t) const {
    const Vector3d p = at(t);
    return p - p.cwiseMax(-half).cwiseMin(half);
  }
  // Half the derivative of the squared distance to the box: does not decrease, and is linear between the places where
  // the line crosses one of the six planes.
  double slope(double t) const { return u.dot(excess(t)); }
};

// Where the core comes nearest to the box.
double nearest_place(const CoreInBox& core) {
  double low = -core.length, high = core.length;
  double slope_low = core.slope(low), slope_high = core.slope(high);
  if (slope_low >= 0) return low;
  if (slope_high <= 0) return high;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(core.u[axis]) < 1e-14) continue;
    for (const double side : {-core.half[axis], core.half[axis]}) {
      const double t = (side - core.c[axis]) / core.u[axis];
      if (!(t > low && t < high)) continue;
      const double slope = core.slope(t);
      (slope < 0 ? low : high) = t;
      (slope < 0 ? slope_low : slope_high) = slope;
    }
  }
  const double rise = slope_high - slope_low;
  return rise > 0 ? low - slope_low * (high - low) / rise : low;
}

// The core passes through the box: the direction in which it leaves soonest, box outward.
struct Exit {
  Vector3d outward;
  double depth = std::numeric_limits<double>::infinity();
  int edge = -1;  // the box edge's direction if an edge is crossed; -1: through a face
};

Exit find_exit(const CoreInBox& core) {
  Exit best;
  for (int axis = 0; axis < 3; ++axis) {
    const double depth = core.half[axis] + core.length * std::abs(core.u[axis]) - std::abs(core.c[axis]);
    if (depth < best.depth) best = {std::copysign(1.0, core.c[axis]) * Vector3d::Unit(axis), depth, -1};
  }
  for (int axis = 0; axis < 3; ++axis) {
    Vector3d across = Vector3d::Unit(axis).cross(core.u);
    const double sine = across.norm();
    if (sine < 1e-6) continue;
    across /= sine;
    const double offset = across.dot(core.c);
    const double depth = across.cwiseAbs().dot(core.half) - std::abs(offset);
    if (depth < best.depth) best = {offset < 0 ? Vector3d(-across) : across, depth, axis};
  }
  return best;
}

// Where on the core the exit's contact is: the end farthest inside, or where it passes the edge.
double exit_place(const CoreInBox& core, const Exit& exit) {
  if (exit.edge < 0) {
    const double tilt = core.u.dot(exit.outward);
    if (std::abs(tilt) > 1e-9) return tilt > 0 ? -core.length : core.length;
    return std::clamp(-core.u.dot(core.c), -core.length, core.length);
  }
  Vector3d middle = core.half.cwiseProduct(exit.outward.unaryExpr([](double x) { return std::copysign(1.0, x); }));
  middle[exit.edge] = 0;
  const Segment edge{middle, Vector3d::Unit(exit.edge), core.half[exit.edge]};
  return nearest_points({core.c, core.u, core.length}, edge).t_a;
}

}  // namespace

Separation capsule_box_separation(const Placed& capsule, const Placed& box) {
  const CoreInBox core{box.R.transpose() * (capsule.p - box.p), box.R.transpose() * capsule.R.col(2),
                       capsule.shape->half.z(), box.shape->half};
  double place = nearest_place(core);
  Vector3d outward = core.excess(place);
  double gap = outward.norm();
  // Nearer than this the direction would be round-off; where the core just touches the box the exit has depth zero.
  if (gap > 1e-12 * (core.half.sum() + core.length)) {
    outward /= gap;
  } else {
    const Exit exit = find_exit(core);
    outward = exit.outward;
    gap = -exit.depth;
    place = exit_place(core, exit);
  }
  const double radius = capsule.shape->radius();
  Separation out;
  out.distance = gap - radius;
  out.normal = -(box.R * outward);
  out.point_a = box.R * core.at(place) + box.p + radius * out.normal;
  out.point_b = out.point_a + out.distance * out.normal;
  return out;
}

}  // namespace stickslip
