#include "stickslip/geometry/surface_normals.h"

#include <cmath>

#include "stickslip/geometry/separation.h"
#include "stickslip/geometry/terrain.h"
#include "stickslip/geometry/triangle_surface.h"

namespace stickslip {
namespace {

constexpr double kSameAngle = 1e-9;  // [rad] directions closer than this are one

constexpr double kSharpAngle = 0.5;  // [rad] across such a ridge the sides have nothing to do with each other
constexpr double kOnArc = 1e-6;      // sine of the angle between two normals seen from a direction between them

int next(int k) { return k == 2 ? 0 : k + 1; }

// ---------------------------------------------------------------------------------------------------------------------
// Ridges: the normals at an edge are an arc, from the triangle's normal over to the neighbour's.

struct Arc {
  Vector3d start, ahead;  // n(angle) = cos(angle) start + sin(angle) ahead
  double end = 0;         // angle
  Vector3d point;         // on the edge

  Vector3d at(double angle) const { return std::cos(angle) * start + std::sin(angle) * ahead; }
  Vector3d slope_at(double angle) const { return std::cos(angle) * ahead - std::sin(angle) * start; }
};

Arc arc_of(const SurfaceTriangle& t, int k) {
  Arc arc{t.normal, (t.vertex[next(k)] - t.vertex[k]).cross(t.normal).normalized(), 0, t.vertex[k]};
  arc.end = std::atan2(t.edge_normal[k].dot(arc.ahead), t.edge_normal[k].dot(arc.start));
  if (arc.end < 0) arc.end = M_PI;  // folded all the way, up to rounding
  return arc;
}

// How fast the distance along the normal grows as the normal turns along the arc.
double gain(const Placed& body, const Arc& arc, double angle) {
  return (support_point(body, -arc.at(angle)) - arc.point).dot(arc.slope_at(angle));
}

double distance_at(const Placed& body, const Arc& arc, double angle) {
  return distance_along(body, arc.point, arc.at(angle));
}

// The first angle at which the gain falls through zero, by a jump if the body has a flat face there; the end of the arc
// if it does not. The gain is positive at 0.
double best_angle(const Placed& body, const Arc& arc) {
  if (body.shape->kind == ColliderKind::kSphere) {
    const Vector3d offset = body.p - arc.point;
    return std::clamp(std::atan2(offset.dot(arc.ahead), offset.dot(arc.start)), 0.0, arc.end);
  }
  const int samples = std::max(1, static_cast<int>(arc.end / kSharpAngle));
  double low = 0, high = arc.end;
  for (int i = 1; i <= samples; ++i) {
    high = arc.end * i / samples;
    if (gain(body, arc, high) < 0) break;
    low = high;
  }
  while (high - low > 1e-13) {
    const double middle = 0.5 * (low + high);
    (gain(body, arc, middle) > 0 ? low : high) = middle;
  }
  return high;
}

// How much the start of the arc counts if both its ends are better than what is between: a corner of the body is in the
// surface near the ridge. The ends change over where they are equally deep, over the breadth in which a corner of that
// depth is on neither side for certain.
double start_share(const Placed& body, const Arc& arc) {
  const double start = distance_at(body, arc, 0), end = distance_at(body, arc, arc.end);
  const double breadth = std::max(0.0, -std::max(start, end)) * (1 - std::cos(arc.end));
  if (!(breadth > 0)) return start >= end ? 1 : 0;
  return std::clamp(0.5 + 0.5 * (start - end) / breadth, 0.0, 1.0);
}

bool is_ridge(EdgeKind kind) { return kind == EdgeKind::kConvex || kind == EdgeKind::kBorder; }

PushDirection ridge_push(const SurfaceTriangle& t, int k, const Arc& arc, double angle, double scale) {
  const double own = t.neighbor[k] < 0 ? 1 : std::max(0.0, 1 - angle / arc.end), flat = flatness(t, k);
  return {PushDirection::Feature::kEdge, k, arc.at(angle), scale * (flat + (1 - flat) * own), scale * own};
}

// ---------------------------------------------------------------------------------------------------------------------
// Peaks: the triangles round a vertex.

struct Peak {
  Fan fan;
  int own = 0;  // the triangle's place in it
  bool closed = false;
  std::array<double, Fan::kMax> share;
};

int corner_of(const SurfaceTriangle& t, int vertex) {
  return t.vertex_index[0] == vertex ? 0 : t.vertex_index[1] == vertex ? 1 : 2;
}

// Walks round the vertex from `from` (excluded), counter-clockwise or clockwise, while every edge it crosses allows a
// push along n. Returns the number of triangles met, or -1 if one does not; `closed` if it came back.
int walk_round(const SurfaceView& surface, const SurfaceTriangle& from, int vertex, bool ccw, const Vector3d& n,
               std::array<Vector3d, Fan::kMax>& normals, bool& closed) {
  SurfaceTriangle t = from;
  int count = 0;
  closed = false;
  while (count < Fan::kMax - 2) {
    const int corner = corner_of(t, vertex);
    const int edge = ccw ? (corner + 2) % 3 : corner;  // the edge to cross, and its far end
    const Vector3d along = t.vertex[ccw ? edge : next(edge)] - t.vertex[corner];
    if (along.dot(n) > kSameAngle * along.norm()) return -1;
    const int neighbor = t.neighbor[edge];
    if (neighbor == from.index) {
      closed = true;
      return count;
    }
    if (neighbor < 0) {
      normals[count++] = t.edge_normal[edge];  // where the surface ends it looks along its rim
      return count;
    }
    t = surface.triangle(neighbor);
    if (corner_of(t, vertex) == 2 && t.vertex_index[2] != vertex) return -1;  // three or more meet at an edge
    normals[count++] = t.normal;
  }
  return -1;
}

// False if the surface has no such normal at the vertex.
bool find_peak(const SurfaceView& surface, const SurfaceTriangle& t, int k, const Vector3d& n, Peak& peak) {
  std::array<Vector3d, Fan::kMax> ahead, behind;
  const int vertex = t.vertex_index[k];
  const int after = walk_round(surface, t, vertex, true, n, ahead, peak.closed);
  if (after < 0) return false;
  bool unused = false;
  const int before = peak.closed ? 0 : walk_round(surface, t, vertex, false, n, behind, unused);
  if (before < 0 || before + after + 1 > Fan::kMax) return false;
  peak.fan.count = 0;
  for (int i = before - 1; i >= 0; --i) peak.fan.normal[peak.fan.count++] = behind[i];
  peak.own = peak.fan.count;
  peak.fan.normal[peak.fan.count++] = t.normal;
  for (int i = 0; i < after; ++i) peak.fan.normal[peak.fan.count++] = ahead[i];
  // The bottom of a pit has normals too, but they look into the ground.
  Vector3d outward = Vector3d::Zero();
  for (int i = 0; i < peak.fan.count; ++i) outward += peak.fan.normal[i];
  if (!(outward.dot(n) > 0)) return false;
  if (peak.closed) return true;
  for (int i = 0; i < peak.fan.count; ++i) {  // the back of a sheet does not push
    if (peak.fan.normal[i].dot(n) < -kSameAngle) return false;
  }
  return true;
}

double peak_share(Peak& peak, const Vector3d& n) {
  fan_shares(peak.fan, n, peak.share);
  double share = peak.share[peak.own];
  if (peak.closed) return share;
  // The rims at both ends belong to the triangles they end.
  if (peak.own == 1) share += peak.share[0];
  if (peak.own == peak.fan.count - 2) share += peak.share[peak.fan.count - 1];
  return share;
}

// The body against the vertex alone.
bool try_vertex(const Placed& body, const SurfaceView& surface, const SurfaceTriangle& t, int k, PushDirection& push) {
  Vector3d n;
  if (body.shape->kind == ColliderKind::kSphere) {
    n = (body.p - t.vertex[k]).normalized();
  } else {
    static const Collider kPoint{.kind = ColliderKind::kSphere, .box = {Vector3d::Zero(), Vector3d::Zero()}};
    n = separation({&kPoint, Matrix3d::Identity(), t.vertex[k]}, body).normal;
  }
  Peak peak;
  if (!n.allFinite() || !find_peak(surface, t, k, n, peak)) return false;
  const double own = peak_share(peak, n), flat = std::min(flatness(t, k), flatness(t, (k + 2) % 3));
  push = {PushDirection::Feature::kVertex, k, n, flat + (1 - flat) * own, own};
  return true;
}

}  // namespace

SurfaceTriangle SurfaceView::triangle(int index) const {
  return mesh ? surface_triangle(*mesh, index) : surface_triangle(*terrain, index);
}

Vector3d SurfaceView::facet_normal(const SurfaceTriangle& t) const {
  if (t.facet == t.index) return t.normal;
  return mesh ? mesh->normals[t.facet] : terrain->triangle_normal(t.facet);
}

double distance_along(const Placed& body, const Vector3d& point, const Vector3d& normal) {
  return (support_point(body, -normal) - point).dot(normal);
}

void fan_shares(const Fan& fan, const Vector3d& n, std::array<double, Fan::kMax>& share) {
  std::array<Vector3d, Fan::kMax> place;
  std::array<double, Fan::kMax> length;
  for (int i = 0; i < fan.count; ++i) {
    const Vector3d across = fan.normal[i] - fan.normal[i].dot(n) * n;
    length[i] = std::atan2(across.norm(), fan.normal[i].dot(n));
    place[i] = across.norm() > 0 ? Vector3d(across.normalized() * length[i]) : Vector3d::Zero();
    share[i] = 0;
  }
  const auto all_to = [&](int i, double part) { share[i] = part; };
  double sum = 0;
  for (int i = 0; i < fan.count; ++i) {
    if (length[i] < kSameAngle) {
      share.fill(0);
      return all_to(i, 1);
    }
    const int j = i + 1 < fan.count ? i + 1 : 0;
    const double dot = place[i].dot(place[j]), area = place[i].cross(place[j]).dot(n);
    // On the arc between two of them, or just beyond it: the others have no part.
    if (dot < 0 && area < kOnArc * length[i] * length[j]) {
      share.fill(0);
      all_to(i, length[j] / (length[i] + length[j]));
      return all_to(j, length[i] / (length[i] + length[j]));
    }
    const double tangent = area != 0 ? (length[i] * length[j] - dot) / area : 0;  // of half the angle between
    share[i] += tangent / length[i];
    share[j] += tangent / length[j];
  }
  for (int i = 0; i < fan.count; ++i) sum += share[i] = std::max(0.0, share[i]);
  for (int i = 0; i < fan.count; ++i) share[i] = sum > 0 ? share[i] / sum : 1.0 / fan.count;
}

double flatness(const SurfaceTriangle& t, int edge) {
  if (t.edge[edge] == EdgeKind::kFlat) return 1;
  if (t.edge[edge] != EdgeKind::kConvex) return 0;
  return std::max(0.0, 1 - std::acos(std::clamp(t.normal.dot(t.edge_normal[edge]), -1.0, 1.0)) / kSharpAngle);
}

void find_push_directions(const Placed& body, const SurfaceView& surface, const SurfaceTriangle& t,
                          PushDirections& out) {
  out.count = 0;
  PushDirection over;  // a ridge that the body is over, or beyond
  double over_distance = -std::numeric_limits<double>::infinity(), face_share = 1;
  for (int k = 0; k < 3; ++k) {
    if (!is_ridge(t.edge[k])) continue;
    const Arc arc = arc_of(t, k);
    const double first = gain(body, arc, 0), last = gain(body, arc, arc.end);
    if (first <= 0) {
      const double share = last > 0 ? start_share(body, arc) : 1;
      if (share == 1) continue;
      out.push[out.count++] = ridge_push(t, k, arc, arc.end, 1 - share);
      face_share *= share;
      continue;
    }
    double angle = best_angle(body, arc);
    if (angle < kSameAngle) continue;
    if (last > 0 && distance_at(body, arc, arc.end) > distance_at(body, arc, angle)) angle = arc.end;
    const double distance = distance_at(body, arc, angle);
    if (distance <= over_distance) continue;
    over_distance = distance;
    over = ridge_push(t, k, arc, angle, 1);
  }
  if (over.feature == PushDirection::Feature::kFace) {
    out.push[out.count++] = {.normal = surface.facet_normal(t), .share = face_share, .ridge_share = face_share};
    return;
  }
  for (const int k : {over.k, next(over.k)}) {
    PushDirection peak;
    if (!try_vertex(body, surface, t, k, peak)) continue;
    const double distance = distance_along(body, t.vertex[k], peak.normal);
    if (distance > over_distance - kSameAngle) over_distance = distance, over = peak;
  }
  out.push[0] = over;
  out.count = 1;
}

}  // namespace stickslip
