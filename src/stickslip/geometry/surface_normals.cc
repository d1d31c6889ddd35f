#include "stickslip/geometry/surface_normals.h"

#include <algorithm>
#include <cmath>

#include "stickslip/geometry/normal_arc.h"
#include "stickslip/geometry/surface_peaks.h"

namespace stickslip {
namespace {

constexpr double kSharpAngle = 0.5;    // [rad] across such a ridge the sides have nothing to do with each other
constexpr double kSharpCosine = 0.87;  // somewhat less than its cosine
constexpr double kSamePlace = 1e-12;   // of the body's size

int next(int k) { return k == 2 ? 0 : k + 1; }

// The normals at a ridge: from the triangle's over to the neighbour's.
NormalArc arc_of(const SurfaceTriangle& t, int k) {
  NormalArc arc{t.normal, (t.vertex[next(k)] - t.vertex[k]).cross(t.normal).normalized(), {}, t.vertex[k]};
  arc.end = turn_towards(t.edge_normal[k].dot(arc.start), t.edge_normal[k].dot(arc.ahead));
  if (arc.end.sine < 0) arc.end = {-1, 0};  // folded all the way, up to rounding
  return arc;
}

PushDirection scaled(PushDirection push, double scale) {
  push.part *= scale;
  push.share *= scale;
  push.ridge_share *= scale;
  for (double& share : push.side_share) share *= scale;
  return push;
}

bool is_ridge(EdgeKind kind) { return kind == EdgeKind::kConvex || kind == EdgeKind::kBorder; }

// ---------------------------------------------------------------------------------------------------------------------

// The ridges of a triangle that the body is over, or beyond.
struct Ridges {
  int count = 0;
  std::array<PushDirection, 3> push;
  std::array<double, 3> distance;

  void add(const Placed& body, const SurfaceTriangle& t, int k, const NormalArc& arc) {
    Turn turn = best_turn(body, arc);
    if (turn.cosine > 0 && turn.sine < kSameAngle) return;
    distance[count] = distance_at(body, arc, turn);
    if (const double end = distance_at(body, arc, arc.end); end > distance[count])
      distance[count] = end, turn = arc.end;
    push[count++] = push_along(t, PushDirection::Feature::kEdge, k, arc.at(turn));
  }

  // How much each counts: one that is clearly better than the others has all.
  double share(int i) const {
    double own = 0, sum = 0;
    for (int j = 0; j < count; ++j) {
      double product = 1;
      for (int k = 0; k < count; ++k) {
        if (k != j) product *= first_share(distance[j], distance[k], push[j].normal.dot(push[k].normal));
      }
      sum += product;
      if (j == i) own = product;
    }
    return sum > 0 ? own / sum : 1.0 / count;
  }
};

void push_over_ridges(const Placed& body, const SurfaceView& surface, const SurfaceTriangle& t, const Ridges& ridges,
                      SurfaceFans& fans, PushDirections& out) {
  out.count = 0;
  TrianglePeaks peaks(body, surface, t, fans);
  for (int i = 0; i < ridges.count; ++i) {
    const double share = ridges.share(i);
    if (share == 0) continue;
    const PushDirection& over = ridges.push[i];
    double rest = 1;
    for (const PeakPush& peak : peaks.best(over.k, over.normal)) {
      if (!(peak.part > 0)) continue;
      // A peak and the ridge that ends there are one where they meet, up to rounding.
      const double at_peak = peak.distance + kSamePlace * body.shape->scale();
      const double part = peak.part * first_share(at_peak, ridges.distance[i], peak.normal.dot(over.normal));
      if (part > 0) {
        const PushDirection push = push_along(t, PushDirection::Feature::kVertex, peak.k, peak.normal);
        out.push[out.count++] = scaled(push, share * part);
      }
      rest -= part;
    }
    if (rest > kSamePlace) out.push[out.count++] = scaled(over, share * rest);
  }
}

// Whether a plane between the two, across the line from one's middle to the other's, leaves more room than `room`.
bool is_farther(const Placed& body, const SurfaceTriangle& t, double room) {
  const Vector3d line = body.p - (t.vertex[0] + t.vertex[1] + t.vertex[2]) / 3;
  const double highest = std::max({line.dot(t.vertex[0]), line.dot(t.vertex[1]), line.dot(t.vertex[2])});
  const double gap = line.dot(support_point(body, -line)) - highest;
  return gap > 0 && gap * gap > room * room * line.squaredNorm();
}

}  // namespace

PushDirection push_along(const SurfaceTriangle& t, PushDirection::Feature feature, int k, const Vector3d& n) {
  PushDirection push{feature, k, n};
  std::array<double, 3> beyond = {0, 0, 0};  // where n is from the triangle's normal, 0, to the neighbour's, 1
  for (int e = 0; e < 3; ++e) {
    if (t.edge[e] != EdgeKind::kConvex) continue;
    const NormalArc arc = arc_of(t, e);
    const double ahead = n.dot(arc.ahead);
    if (!(ahead > 0)) continue;
    beyond[e] = std::clamp(std::atan2(ahead, n.dot(arc.start)) / arc.end.angle(), 0.0, 1.0);
    push.share = std::min(push.share, 1 - (1 - flatness(t, e)) * beyond[e]);
    push.ridge_share = std::min(push.ridge_share, 1 - beyond[e]);
  }
  for (int e = 0; e < 3; ++e) push.side_share[e] = std::min(push.share, 1 - beyond[e]);
  return push;
}

double first_share(double first_distance, double second_distance, double cosine_between) {
  const double breadth = std::abs(std::max(first_distance, second_distance)) * (1 - cosine_between);
  if (!(breadth > 0)) return first_distance >= second_distance ? 1 : 0;
  return std::clamp(0.5 + 0.5 * (first_distance - second_distance) / breadth, 0.0, 1.0);
}

double flatness(const SurfaceTriangle& t, int edge) {
  if (t.edge[edge] == EdgeKind::kFlat) return 1;
  if (t.edge[edge] != EdgeKind::kConvex) return 0;
  const double cosine = t.normal.dot(t.edge_normal[edge]);
  if (cosine < kSharpCosine) return 0;
  return std::max(0.0, 1 - std::acos(std::min(cosine, 1.0)) / kSharpAngle);
}

void find_push_directions(const Placed& body, const Placed& lifted, const SurfaceView& surface,
                          const SurfaceTriangle& t, double room, SurfaceFans& fans, PushDirections& out) {
  out.count = 0;
  Ridges over;
  double face_share = 1;
  const Vector3d lowest_point = support_point(lifted, -t.normal);
  for (int k = 0; k < 3; ++k) {
    if (!is_ridge(t.edge[k])) continue;
    const NormalArc arc = arc_of(t, k);
    if (gain_at_start(arc, lowest_point) > 0) {
      if (over.count == 0 && is_farther(body, t, room)) {
        out.count = 0;
        return;
      }
      over.add(lifted, t, k, arc);
    } else if (gain(lifted, arc, arc.end) > 0) {
      const double share = first_share(distance_at(lifted, arc, {}), distance_at(lifted, arc, arc.end), arc.end.cosine);
      if (share < 1) {
        const PushDirection beyond = push_along(t, PushDirection::Feature::kEdge, k, arc.at(arc.end));
        out.push[out.count++] = scaled(beyond, 1 - share);
      }
      face_share *= share;
    }
  }
  if (over.count > 0) return push_over_ridges(lifted, surface, t, over, fans, out);
  if (face_share == 0 && out.count > 0) return;
  out.push[out.count++] = scaled({.normal = surface.facet_normal(t)}, face_share);
}

}  // namespace stickslip
