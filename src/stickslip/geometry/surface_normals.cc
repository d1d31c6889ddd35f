#include "stickslip/geometry/surface_normals.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "stickslip/geometry/surface_peaks.h"
#include "stickslip/geometry/terrain.h"
#include "stickslip/geometry/triangle_surface.h"

namespace stickslip {
namespace {

constexpr double kSharpAngle = 0.5;   // [rad] across such a ridge the sides have nothing to do with each other
constexpr double kSamePlace = 1e-12;  // of the body's size

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

// A point of the body as the arc sees it: its distance along n(angle) is ahead sin(angle) + up cos(angle).
struct Seen {
  double up = 0, ahead = 0;

  double distance(double angle) const { return up * std::cos(angle) + ahead * std::sin(angle); }
  double gain(double angle) const { return ahead * std::cos(angle) - up * std::sin(angle); }  // as the normal turns
  bool is_near(const Seen& other, double tolerance) const {
    return std::abs(up - other.up) <= tolerance && std::abs(ahead - other.ahead) <= tolerance;
  }
};

Seen seen(const Arc& arc, const Vector3d& point) {
  const Vector3d offset = point - arc.point;
  return {offset.dot(arc.start), offset.dot(arc.ahead)};
}

// The lowest point of the body.
Seen lowest(const Placed& body, const Arc& arc, double angle) { return seen(arc, support_point(body, -arc.at(angle))); }

// How fast the distance along the normal grows as the normal turns along the arc.
double gain(const Placed& body, const Arc& arc, double angle) { return lowest(body, arc, angle).gain(angle); }

// Where the gain of the lower of two points falls through zero between two angles: where they change places, or at the
// top of one. Nothing if it does neither.
std::optional<double> falling_angle_of_two(const Seen& a, const Seen& b, double low, double high) {
  const auto is_between = [&](double angle) { return angle > low && angle < high; };
  double meeting = std::atan2(a.up - b.up, b.ahead - a.ahead);  // modulo pi
  if (!is_between(meeting)) meeting += meeting < 0 ? M_PI : -M_PI;
  if (is_between(meeting) && a.gain(meeting) >= 0 && b.gain(meeting) <= 0) return meeting;
  const double top_a = std::atan2(a.ahead, a.up), top_b = std::atan2(b.ahead, b.up);
  if (is_between(top_a) && a.distance(top_a) <= b.distance(top_a)) return top_a;
  if (is_between(top_b) && b.distance(top_b) <= a.distance(top_b)) return top_b;
  return {};
}

// Where the gain, positive at `low` and not at `high`, falls through zero. Few points of the body matter: the angle for
// the two known best is the answer if one of them is the lowest there.
double falling_angle(const Placed& body, const Arc& arc, double low, double high) {
  constexpr double kAngle = 1e-13, kSamePoint = 1e-14;
  const double same = kSamePoint * body.shape->scale();
  Seen before = lowest(body, arc, low), after = lowest(body, arc, high);
  for (int i = 1; high - low > kAngle; ++i) {
    // Every fourth time halved, so that it ends whatever the body.
    const auto guess = i % 4 > 0 ? falling_angle_of_two(before, after, low, high) : std::nullopt;
    const double angle = guess.value_or(0.5 * (low + high));
    const Seen point = lowest(body, arc, angle);
    if (guess && (point.is_near(before, same) || point.is_near(after, same))) return angle;
    if (point.gain(angle) > 0)
      low = angle, before = point;
    else
      high = angle, after = point;
  }
  return high;
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
  return low < high ? falling_angle(body, arc, low, high) : high;
}

PushDirection scaled(PushDirection push, double scale) {
  push.share *= scale;
  push.ridge_share *= scale;
  return push;
}

bool is_ridge(EdgeKind kind) { return kind == EdgeKind::kConvex || kind == EdgeKind::kBorder; }

PushDirection ridge_push(const SurfaceTriangle& t, int k, const Arc& arc, double angle, double scale) {
  const double own = t.neighbor[k] < 0 ? 1 : std::max(0.0, 1 - angle / arc.end), flat = flatness(t, k);
  return {PushDirection::Feature::kEdge, k, arc.at(angle), scale * (flat + (1 - flat) * own), scale * own};
}

// ---------------------------------------------------------------------------------------------------------------------

// The ridges of a triangle that the body is over, or beyond.
struct Ridges {
  int count = 0;
  std::array<PushDirection, 3> push;
  std::array<double, 3> distance;

  void add(const Placed& body, const SurfaceTriangle& t, int k, const Arc& arc) {
    double angle = best_angle(body, arc);
    if (angle < kSameAngle) return;
    distance[count] = distance_at(body, arc, angle);
    if (const double end = distance_at(body, arc, arc.end); end > distance[count])
      distance[count] = end, angle = arc.end;
    push[count++] = ridge_push(t, k, arc, angle, 1);
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
                      PushDirections& out) {
  out.count = 0;
  for (int i = 0; i < ridges.count; ++i) {
    const double share = ridges.share(i);
    if (share == 0) continue;
    const PushDirection& over = ridges.push[i];
    double rest = 1;
    for (const PeakPush& peak : best_peaks(body, surface, t, over.k, over.normal)) {
      if (!(peak.part > 0)) continue;
      // A peak and the ridge that ends there are one where they meet, up to rounding.
      const double at_peak = peak.distance + kSamePlace * body.shape->scale();
      const double part = peak.part * first_share(at_peak, ridges.distance[i], peak.push.normal.dot(over.normal));
      if (part > 0) out.push[out.count++] = scaled(peak.push, share * part);
      rest -= part;
    }
    if (rest > kSamePlace) out.push[out.count++] = scaled(over, share * rest);
  }
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

double first_share(double first_distance, double second_distance, double cosine_between) {
  const double breadth = std::abs(std::max(first_distance, second_distance)) * (1 - cosine_between);
  if (!(breadth > 0)) return first_distance >= second_distance ? 1 : 0;
  return std::clamp(0.5 + 0.5 * (first_distance - second_distance) / breadth, 0.0, 1.0);
}

double flatness(const SurfaceTriangle& t, int edge) {
  if (t.edge[edge] == EdgeKind::kFlat) return 1;
  if (t.edge[edge] != EdgeKind::kConvex) return 0;
  return std::max(0.0, 1 - std::acos(std::clamp(t.normal.dot(t.edge_normal[edge]), -1.0, 1.0)) / kSharpAngle);
}

void find_push_directions(const Placed& body, const SurfaceView& surface, const SurfaceTriangle& t, bool is_far,
                          PushDirections& out) {
  out.count = 0;
  Ridges over;
  double face_share = 1;
  const Vector3d lowest_point = support_point(body, -t.normal);
  for (int k = 0; k < 3; ++k) {
    if (!is_ridge(t.edge[k])) continue;
    const Arc arc = arc_of(t, k);
    if (seen(arc, lowest_point).gain(0) > 0) {
      if (is_far) {
        out.count = 0;
        return;
      }
      over.add(body, t, k, arc);
    } else if (gain(body, arc, arc.end) > 0) {
      const double share = first_share(distance_at(body, arc, 0), distance_at(body, arc, arc.end), std::cos(arc.end));
      if (share < 1) out.push[out.count++] = ridge_push(t, k, arc, arc.end, 1 - share);
      face_share *= share;
    }
  }
  if (over.count > 0) return push_over_ridges(body, surface, t, over, out);
  if (face_share == 0 && out.count > 0) return;
  out.push[out.count++] = {.normal = surface.facet_normal(t), .share = face_share, .ridge_share = face_share};
}

}  // namespace stickslip
