#include "stickslip/geometry/surface_peaks.h"

#include <algorithm>
#include <cmath>

#include "stickslip/geometry/normal_arc.h"
#include "stickslip/geometry/point_ellipsoid.h"
#include "stickslip/geometry/separation.h"
#include "stickslip/geometry/smallest_length.h"

namespace stickslip {
namespace {

int next(int k) { return k == 2 ? 0 : k + 1; }

// The direction in which a point alone would push the body; zero in the middle of a sphere, where it has none.
Vector3d push_of_point(const Placed& body, const Vector3d& point) {
  if (body.shape->kind == ColliderKind::kSphere) {
    const Vector3d offset = body.p - point;
    const double distance = offset.norm();
    return distance > kSmallestLength ? Vector3d(offset / distance) : Vector3d::Zero();
  }
  if (body.shape->kind == ColliderKind::kEllipsoid) {
    if (const auto normal = nearest_normal(body.shape->half, body.R.transpose() * (point - body.p)))
      return -(body.R * *normal);
  }
  static const Collider kPoint{.kind = ColliderKind::kSphere, .box = {Vector3d::Zero(), Vector3d::Zero()}};
  return separation({&kPoint, Matrix3d::Identity(), point}, body).normal;
}

// The peak's normals across one of its limits; false if there are none, as across an edge that another hides.
bool find_limit_arc(const SurfaceFan& peak, const Vector3d& across, NormalArc& arc) {
  const Vector3d projected = peak.outward - peak.outward.dot(across) * across;
  if (!(projected.norm() > kSameAngle * peak.outward.norm())) return false;  // a spike: it has no middle across this
  const Vector3d middle = projected.normalized();
  const Vector3d side = across.cross(middle);
  // n = middle + slope side, up to its length: limits are linear in the slope.
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  for (const Vector3d& limit : peak.limit) {
    const double height = limit.dot(middle), rise = limit.dot(side);
    if (std::abs(rise) > kSameAngle)
      (rise > 0 ? high : low) = rise > 0 ? std::min(high, -height / rise) : std::max(low, -height / rise);
    else if (height > kSameAngle)
      return false;
  }
  if (low > high + kSameAngle) return false;
  const auto turn_of = [](double slope) {
    return std::isinf(slope) ? Turn{0, std::copysign(1.0, slope)} : turn_towards(1, slope);
  };
  const Turn start = turn_of(low), end = turn_of(std::max(low, high));
  arc = {start.cosine * middle + start.sine * side, start.cosine * side - start.sine * middle,
         Turn{start.cosine * end.cosine + start.sine * end.sine, start.sine_to(end)}, peak.place};
  return true;
}

// The normal of the peak along which the body is least deep. Beyond the peak's normals the distance only grows, so the
// best of them is across a limit that the body's own direction is beyond.
PeakDirection search_direction(const Placed& body, const SurfaceFan& peak) {
  PeakDirection out{.is_known = true, .is_free = true, .body_place = body.p, .normal = push_of_point(body, peak.place)};
  const Vector3d free = out.normal;
  double best = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < static_cast<int>(peak.limit.size()); ++i) {
    if (!(free.dot(peak.limit[i]) > kSameAngle)) continue;
    out.is_free = false;
    NormalArc arc;
    if (!find_limit_arc(peak, peak.limit[i], arc)) continue;
    const Turn turn = gain(body, arc, {}) > 0 ? best_turn(body, arc) : Turn{};
    const double distance = distance_at(body, arc, turn);
    if (distance <= best) continue;
    best = distance;
    out.normal = arc.at(turn);
    out.across = i;
  }
  return out;
}

// That direction, as one triangle of the peak sees it; false if there is none, or if it is one of a ridge of the
// triangle, which has a push of its own.
bool find_direction(const Placed& body, const SurfaceFan& peak, Vector3d& n) {
  PeakDirection& found = *peak.direction;
  if (!found.is_known || found.body_place != body.p) found = search_direction(body, peak);
  if (!found.is_free && (found.across < 0 || found.across == peak.edge_before || found.across == peak.edge_after))
    return false;
  n = found.normal;
  // The bottom of a pit has normals too, but they look into the ground.
  return peak.outward.dot(n) > 0;
}

// Where an edge of the peak rises beyond the triangle its normal is none of the peak's. Then the peak takes over from
// the triangle's ridge over this angle [rad] of the ridge's own beginning, not at once.
constexpr double kTakeOver = 0.05;

bool rises_beyond(const SurfaceTriangle& t, const SurfaceFan& peak) {
  return std::any_of(peak.limit.begin(), peak.limit.end(),
                     [&](const Vector3d& limit) { return t.normal.dot(limit) > kFlatAngle; });
}

}  // namespace

PeakPush TrianglePeaks::push_of(int k, const Vector3d& ridge_normal) {
  Peak& peak = peak_[k];
  if (!peak.is_known) {
    peak.is_known = true;
    SurfaceFan fan;
    Vector3d n;
    if (fans_.find(surface_, t_, k, fan) && find_direction(body_, fan, n)) {
      peak.push = {k, n, distance_along(body_, t_.vertex[k], n), 1};
      peak.rises = rises_beyond(t_, fan);
    }
  }
  PeakPush push = peak.push;
  if (peak.rises) push.part = std::min(1.0, (ridge_normal - t_.normal).norm() / kTakeOver);
  return push;
}

std::array<PeakPush, 2> TrianglePeaks::best(int edge, const Vector3d& ridge_normal) {
  std::array<PeakPush, 2> peaks = {push_of(edge, ridge_normal), push_of(next(edge), ridge_normal)};
  PeakPush &a = peaks[0], &b = peaks[1];
  if (a.part > 0 && b.part > 0) {
    const double cosine = a.normal.dot(b.normal);
    const double of_a = cosine > 1 - kSameAngle ? 0.5 : first_share(a.distance, b.distance, cosine);
    a.part *= of_a;
    b.part *= 1 - of_a;
  }
  return peaks;
}

}  // namespace stickslip
