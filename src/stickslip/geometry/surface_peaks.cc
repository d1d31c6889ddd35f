#include "stickslip/geometry/surface_peaks.h"

#include <algorithm>
#include <cmath>

#include "stickslip/geometry/separation.h"
#include "stickslip/geometry/support_faces.h"

namespace stickslip {
namespace {

constexpr double kOnArc = 1e-6;  // sine of the angle between two normals seen from a direction between them

// A peak under a flat face pushes it along the face's normal, also when an edge rises a little beyond: over this angle
// [rad] it gives way to that edge.
constexpr double kFaceRise = 0.05;

int next(int k) { return k == 2 ? 0 : k + 1; }

struct Peak {
  Fan fan;
  int own = 0;  // the triangle's place in it
  bool closed = false;
  double rise = 0;  // sine of the angle by which an edge rises beyond a plane across the direction
  std::array<double, Fan::kMax> share;
};

int corner_of(const SurfaceTriangle& t, int vertex) {
  return t.vertex_index[0] == vertex ? 0 : t.vertex_index[1] == vertex ? 1 : 2;
}

// Walks round the vertex from `from` (excluded), counter-clockwise or clockwise, while every edge it crosses allows a
// push along n. Returns the number of triangles met, or -1 if one does not; `closed` if it came back.
int walk_round(const SurfaceView& surface, const SurfaceTriangle& from, int vertex, bool ccw, const Vector3d& n,
               double most_rise, std::array<Vector3d, Fan::kMax>& normals, bool& closed, double& rise) {
  SurfaceTriangle t = from;
  int count = 0;
  closed = false;
  while (count < Fan::kMax - 2) {
    const int corner = corner_of(t, vertex);
    const int edge = ccw ? (corner + 2) % 3 : corner;  // the edge to cross, and its far end
    const Vector3d along = t.vertex[ccw ? edge : next(edge)] - t.vertex[corner];
    rise = std::max(rise, along.dot(n) / along.norm());
    if (rise > most_rise) return -1;
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
bool find_peak(const SurfaceView& surface, const SurfaceTriangle& t, int k, const Vector3d& n, double most_rise,
               Peak& peak) {
  std::array<Vector3d, Fan::kMax> ahead, behind;
  const int vertex = t.vertex_index[k];
  const int after = walk_round(surface, t, vertex, true, n, most_rise, ahead, peak.closed, peak.rise);
  if (after < 0) return false;
  bool unused = false;
  const int before = peak.closed ? 0 : walk_round(surface, t, vertex, false, n, most_rise, behind, unused, peak.rise);
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

// The direction in which a point alone would push the body.
Vector3d push_of_point(const Placed& body, const Vector3d& point) {
  if (body.shape->kind == ColliderKind::kSphere) return (body.p - point).normalized();
  static const Collider kPoint{.kind = ColliderKind::kSphere, .box = {Vector3d::Zero(), Vector3d::Zero()}};
  return separation({&kPoint, Matrix3d::Identity(), point}, body).normal;
}

void try_peak(const Placed& body, const SurfaceView& surface, const SurfaceTriangle& t, int k, const Vector3d& n,
              double most_rise, PeakPush& best) {
  const double distance = distance_along(body, t.vertex[k], n);
  Peak peak;
  if (best.part == 1 && !(distance > best.distance)) return;
  if (!find_peak(surface, t, k, n, most_rise, peak)) return;
  const double part = most_rise > kSameAngle ? std::clamp(1 - peak.rise / most_rise, 0.0, 1.0) : 1;
  if (part < best.part || (part == best.part && !(distance > best.distance))) return;
  const double own = peak_share(peak, n), flat = std::min(flatness(t, k), flatness(t, (k + 2) % 3));
  best = {{PushDirection::Feature::kVertex, k, n, flat + (1 - flat) * own, own}, distance, part};
}

}  // namespace

std::array<PeakPush, 2> best_peaks(const Placed& body, const SurfaceView& surface, const SurfaceTriangle& t, int edge,
                                   const Vector3d& ridge_normal) {
  SupportFaces faces;
  support_faces(body, -ridge_normal, faces);
  const SupportFace* face =
      std::max_element(faces.face.begin(), faces.face.begin() + faces.count,
                       [](const SupportFace& a, const SupportFace& b) { return a.share < b.share; });
  // Over the ridge's own beginning nothing may appear at once.
  const double rise = std::min(kFaceRise, (ridge_normal - t.normal).norm());
  std::array<PeakPush, 2> best;
  for (int i = 0; i < 2; ++i) {
    const int k = i == 0 ? edge : next(edge);
    if (face->count > 2) try_peak(body, surface, t, k, -face->normal, rise, best[i]);
    try_peak(body, surface, t, k, push_of_point(body, t.vertex[k]), kSameAngle, best[i]);
  }
  PeakPush &a = best[0], &b = best[1];
  if (a.part > 0 && b.part > 0 && a.push.normal.dot(b.push.normal) > 1 - kSameAngle) {
    const double most = std::max(a.part, b.part) / (a.part + b.part);
    a.part *= most;
    b.part *= most;
  } else if (a.part > 0 && b.part > 0) {
    const double of_a = first_share(a.distance, b.distance, a.push.normal.dot(b.push.normal));
    a.part *= of_a;
    b.part *= 1 - of_a;
  }
  return best;
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

}  // namespace stickslip
