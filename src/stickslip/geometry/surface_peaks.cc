#include "stickslip/geometry/surface_peaks.h"

#include <algorithm>
#include <cmath>

#include "stickslip/geometry/normal_arc.h"
#include "stickslip/geometry/separation.h"
#include "stickslip/geometry/smallest_length.h"

namespace stickslip {
namespace {

int next(int k) { return k == 2 ? 0 : k + 1; }

constexpr int kMostTriangles = 256;  // round a peak

// Left uninitialised: much of it is never used.
struct Peak {
  Vector3d place;
  Vector3d outward;  // the sum of its triangles' normals, and of those of the rims where the surface ends
  // No normal n of the peak has n . limit > 0: unit vectors along the edges, and into the back of a sheet.
  int limits;
  std::array<Vector3d, 2 * kMostTriangles + 2> limit;
  int edge_before, edge_after;  // those along the triangle's own edges

  Peak() {}  // NOLINT(modernize-use-equals-default): the arrays stay as they are
};

int corner_of(const SurfaceTriangle& t, int vertex) {
  return t.vertex_index[0] == vertex ? 0 : t.vertex_index[1] == vertex ? 1 : 2;
}

struct Walk {
  bool is_fan = false;
  bool came_back = false;
  int triangles = 0;
  std::array<Vector3d, kMostTriangles + 1> normal;  // of those met, and of the rim at the end

  Walk() {}  // NOLINT(modernize-use-equals-default): the array stays as it is
};

// Walks round the vertex from `from` (excluded), counter-clockwise or clockwise, and lists the edges it crosses.
void walk_round(const SurfaceView& surface, const SurfaceTriangle& from, int vertex, bool ccw, Walk& walk, Peak& peak) {
  SurfaceTriangle t = from;
  while (walk.triangles < kMostTriangles / 2) {
    const int corner = corner_of(t, vertex);
    const int edge = ccw ? (corner + 2) % 3 : corner;  // the edge to cross, and its far end
    peak.limit[peak.limits++] = (t.vertex[ccw ? edge : next(edge)] - t.vertex[corner]).normalized();
    const int neighbor = t.neighbor[edge];
    walk.came_back = neighbor == from.index;
    walk.is_fan = walk.came_back || neighbor < 0;
    if (neighbor < 0) {  // where the surface ends it looks outward
      walk.normal[walk.triangles++] = surface.triangle(t.index).edge_normal[edge];
    }
    if (walk.is_fan) return;
    t = surface.triangle_alone(neighbor);
    if (corner_of(t, vertex) == 2 && t.vertex_index[2] != vertex) return;  // three or more meet at an edge
    walk.normal[walk.triangles++] = t.normal;
  }
}

bool find_fan(const SurfaceView& surface, const SurfaceTriangle& t, int k, Peak& peak) {
  Walk ahead, behind;
  peak.place = t.vertex[k];
  peak.limits = 0;
  walk_round(surface, t, t.vertex_index[k], true, ahead, peak);
  if (!ahead.is_fan) return false;
  peak.edge_after = 0;
  peak.edge_before = ahead.came_back ? peak.limits - 1 : peak.limits;
  if (!ahead.came_back) walk_round(surface, t, t.vertex_index[k], false, behind, peak);
  if (!ahead.came_back && !behind.is_fan) return false;
  peak.outward = t.normal;
  for (const Walk* walk : {&ahead, &behind}) {
    for (int i = 0; i < walk->triangles; ++i) {
      peak.outward += walk->normal[i];
      if (!ahead.came_back) peak.limit[peak.limits++] = -walk->normal[i];
    }
  }
  if (!ahead.came_back) peak.limit[peak.limits++] = -t.normal;
  return true;
}

// The direction in which a point alone would push the body; zero in the middle of a sphere, where it has none.
Vector3d push_of_point(const Placed& body, const Vector3d& point) {
  if (body.shape->kind == ColliderKind::kSphere) {
    const Vector3d offset = body.p - point;
    const double distance = offset.norm();
    return distance > kSmallestLength ? Vector3d(offset / distance) : Vector3d::Zero();
  }
  static const Collider kPoint{.kind = ColliderKind::kSphere, .box = {Vector3d::Zero(), Vector3d::Zero()}};
  return separation({&kPoint, Matrix3d::Identity(), point}, body).normal;
}

// The peak's normals across one of its limits; false if there are none, as across an edge that another hides.
bool find_limit_arc(const Peak& peak, const Vector3d& across, NormalArc& arc) {
  const Vector3d projected = peak.outward - peak.outward.dot(across) * across;
  if (!(projected.norm() > kSameAngle * peak.outward.norm())) return false;  // a spike: it has no middle across this
  const Vector3d middle = projected.normalized();
  const Vector3d side = across.cross(middle);
  // n = middle + slope side, up to its length: limits are linear in the slope.
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  for (int i = 0; i < peak.limits; ++i) {
    const double height = peak.limit[i].dot(middle), rise = peak.limit[i].dot(side);
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

// The normal of the peak along which the body is least deep; false if it has none, or if it is one of a ridge of the
// triangle, which has a push of its own. Beyond the peak's normals the distance only grows, so the best of them is
// across a limit that the body's own direction is beyond.
bool find_direction(const Placed& body, const Peak& peak, Vector3d& n) {
  n = push_of_point(body, peak.place);
  const Vector3d free = n;
  double best = -std::numeric_limits<double>::infinity();
  int across = -1;
  bool is_inside = true;
  for (int i = 0; i < peak.limits; ++i) {
    if (!(free.dot(peak.limit[i]) > kSameAngle)) continue;
    is_inside = false;
    NormalArc arc;
    if (!find_limit_arc(peak, peak.limit[i], arc)) continue;
    const Turn turn = gain(body, arc, {}) > 0 ? best_turn(body, arc) : Turn{};
    const double distance = distance_at(body, arc, turn);
    if (distance <= best) continue;
    best = distance;
    n = arc.at(turn);
    across = i;
  }
  if (!is_inside && (across < 0 || across == peak.edge_before || across == peak.edge_after)) return false;
  // The bottom of a pit has normals too, but they look into the ground.
  return peak.outward.dot(n) > 0;
}

// Where an edge of the peak rises beyond the triangle its normal is none of the peak's. Then the peak takes over from
// the triangle's ridge over this angle [rad] of the ridge's own beginning, not at once.
constexpr double kTakeOver = 0.05;

double take_over(const SurfaceTriangle& t, const Peak& peak, const Vector3d& ridge_normal) {
  double rise = 0;
  for (int i = 0; i < peak.limits; ++i) rise = std::max(rise, t.normal.dot(peak.limit[i]));
  return rise > kFlatAngle ? std::min(1.0, (ridge_normal - t.normal).norm() / kTakeOver) : 1;
}

PeakPush peak_push(const Placed& body, const SurfaceView& surface, const SurfaceTriangle& t, int k,
                   const Vector3d& ridge_normal) {
  Peak peak;
  Vector3d n;
  if (!find_fan(surface, t, k, peak) || !find_direction(body, peak, n)) return {};
  return {push_along(t, PushDirection::Feature::kVertex, k, n), distance_along(body, t.vertex[k], n),
          take_over(t, peak, ridge_normal)};
}

}  // namespace

std::array<PeakPush, 2> best_peaks(const Placed& body, const SurfaceView& surface, const SurfaceTriangle& t, int edge,
                                   const Vector3d& ridge_normal) {
  std::array<PeakPush, 2> peaks = {peak_push(body, surface, t, edge, ridge_normal),
                                   peak_push(body, surface, t, next(edge), ridge_normal)};
  PeakPush &a = peaks[0], &b = peaks[1];
  if (a.part > 0 && b.part > 0) {
    const double cosine = a.push.normal.dot(b.push.normal);
    const double of_a = cosine > 1 - kSameAngle ? 0.5 : first_share(a.distance, b.distance, cosine);
    a.part *= of_a;
    b.part *= 1 - of_a;
  }
  return peaks;
}

}  // namespace stickslip
