#include "stickslip/geometry/normal_arc.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace stickslip {
namespace {

// The gain is sampled this densely [rad]: between samples it is taken to fall through zero once at most.
constexpr double kSampling = 0.5;

// A point of the body as the arc sees it: its distance along n(angle) is ahead sin(angle) + up cos(angle).
struct Seen {
  double up = 0, ahead = 0;

  double distance(double angle) const { return up * std::cos(angle) + ahead * std::sin(angle); }
  double gain(double angle) const { return ahead * std::cos(angle) - up * std::sin(angle); }  // as the normal turns
  bool is_near(const Seen& other, double tolerance) const {
    return std::abs(up - other.up) <= tolerance && std::abs(ahead - other.ahead) <= tolerance;
  }
};

// The lowest point of the body.
Seen lowest(const Placed& body, const NormalArc& arc, double angle) {
  const Vector3d offset = support_point(body, -arc.at(angle)) - arc.point;
  return {offset.dot(arc.start), offset.dot(arc.ahead)};
}

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
double falling_angle(const Placed& body, const NormalArc& arc, double low, double high) {
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

}  // namespace

double distance_along(const Placed& body, const Vector3d& point, const Vector3d& normal) {
  return (support_point(body, -normal) - point).dot(normal);
}

double gain(const Placed& body, const NormalArc& arc, double angle) { return lowest(body, arc, angle).gain(angle); }

double best_angle(const Placed& body, const NormalArc& arc) {
  if (body.shape->kind == ColliderKind::kSphere) {
    const Vector3d offset = body.p - arc.point;
    return std::clamp(std::atan2(offset.dot(arc.ahead), offset.dot(arc.start)), 0.0, arc.end);
  }
  const int samples = std::max(1, static_cast<int>(arc.end / kSampling));
  double low = 0, high = arc.end;
  for (int i = 1; i <= samples; ++i) {
    high = arc.end * i / samples;
    if (gain(body, arc, high) < 0) break;
    low = high;
  }
  return low < high ? falling_angle(body, arc, low, high) : high;
}

}  // namespace stickslip
