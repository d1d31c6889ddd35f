#include "stickslip/geometry/normal_arc.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace stickslip {
namespace {

// The gain is sampled this densely [rad]: between samples it is taken to fall through zero once at most.
constexpr double kSampling = 0.5;

// A point of the body as the arc sees it: its distance along n is up cosine + ahead sine.
struct Seen {
  double up = 0, ahead = 0;

  double distance(const Turn& turn) const { return up * turn.cosine + ahead * turn.sine; }
  double gain(const Turn& turn) const { return ahead * turn.cosine - up * turn.sine; }  // as the normal turns
  bool is_near(const Seen& other, double tolerance) const {
    return std::abs(up - other.up) <= tolerance && std::abs(ahead - other.ahead) <= tolerance;
  }
};

// The body as the arc sees it, in the body's frame, where its support function is.
struct SeenBody {
  const Collider& shape;
  Vector3d start, ahead;  // the arc's
  Seen origin;

  SeenBody(const Placed& body, const NormalArc& arc)
      : shape(*body.shape),
        start(body.R.transpose() * arc.start),
        ahead(body.R.transpose() * arc.ahead),
        origin{(body.p - arc.point).dot(arc.start), (body.p - arc.point).dot(arc.ahead)} {}

  Seen lowest(const Turn& turn) const {
    const Vector3d point = local_support(shape, -turn.cosine * start - turn.sine * ahead);
    return {origin.up + point.dot(start), origin.ahead + point.dot(ahead)};
  }
  double gain(const Turn& turn) const { return lowest(turn).gain(turn); }
};

// Where the gain of the lower of two points falls through zero between two turns: where they change places, or at the
// top of one. Nothing if it does neither.
std::optional<Turn> falling_turn_of_two(const Seen& a, const Seen& b, const Turn& low, const Turn& high) {
  const auto is_between = [&](const Turn& turn) { return low.sine_to(turn) > 0 && turn.sine_to(high) > 0; };
  Turn meeting = turn_towards(b.ahead - a.ahead, a.up - b.up);  // or the opposite
  if (!is_between(meeting)) meeting = {-meeting.cosine, -meeting.sine};
  if (is_between(meeting) && a.gain(meeting) >= 0 && b.gain(meeting) <= 0) return meeting;
  const Turn top_a = turn_towards(a.up, a.ahead);
  if (is_between(top_a) && a.distance(top_a) <= b.distance(top_a)) return top_a;
  const Turn top_b = turn_towards(b.up, b.ahead);
  if (is_between(top_b) && b.distance(top_b) <= a.distance(top_b)) return top_b;
  return {};
}

// Where the gain, positive at `low` and not at `high`, falls through zero. Few points of the body matter: the turn for
// the two known best is the answer if one of them is the lowest there.
Turn falling_turn(const SeenBody& body, Turn low, Turn high) {
  constexpr double kAngle = 1e-13, kSamePoint = 1e-14;
  const double same = kSamePoint * body.shape.scale();
  Seen before = body.lowest(low), after = body.lowest(high);
  for (int i = 1; low.sine_to(high) > kAngle; ++i) {
    // Every fourth time halved, so that it ends whatever the body.
    const auto guess = i % 4 > 0 ? falling_turn_of_two(before, after, low, high) : std::nullopt;
    const Turn turn = guess ? *guess : turn_towards(low.cosine + high.cosine, low.sine + high.sine);
    const Seen point = body.lowest(turn);
    if (guess && (point.is_near(before, same) || point.is_near(after, same))) return turn;
    if (point.gain(turn) > 0)
      low = turn, before = point;
    else
      high = turn, after = point;
  }
  return high;
}

// An ellipsoid as the arc sees it: its distance along n is o . n - sqrt(n' E n) with numbers and matrices of two rows.
class SeenEllipse {
 public:
  SeenEllipse(const Placed& body, const NormalArc& arc) {
    const Vector3d start = body.shape->half.cwiseProduct(body.R.transpose() * arc.start);
    const Vector3d ahead = body.shape->half.cwiseProduct(body.R.transpose() * arc.ahead);
    up_ = start.squaredNorm();
    across_ = start.dot(ahead);
    ahead_ = ahead.squaredNorm();
    origin_ = {(body.p - arc.point).dot(arc.start), (body.p - arc.point).dot(arc.ahead)};
  }

  // Of the distance, as the normal turns: its first derivative and its second.
  struct Gain {
    double value, slope;
  };
  Gain gain(const Turn& turn) const {
    const double c = turn.cosine, s = turn.sine;
    const double along =
        up_ * c * c + 2 * across_ * c * s + ahead_ * s * s;  // n' E n, and with n turned by a right angle
    const double beside = up_ * s * s - 2 * across_ * c * s + ahead_ * c * c;
    const double mixed = (ahead_ - up_) * c * s + across_ * (c * c - s * s);
    const double half = std::sqrt(along), tilt = mixed / half;
    return {origin_.gain(turn) - tilt, -origin_.distance(turn) - (beside - along - tilt * tilt) / half};
  }

 private:
  double up_ = 0, across_ = 0, ahead_ = 0;  // E
  Seen origin_;
};

// Newton's method, kept between the two turns.
Turn falling_turn(const SeenEllipse& body, Turn low, Turn high) {
  constexpr double kAngle = 1e-15;
  constexpr int kMaxIterations = 100;
  Turn turn = turn_towards(low.cosine + high.cosine, low.sine + high.sine);
  for (int i = 0; i < kMaxIterations && low.sine_to(high) > kAngle; ++i) {
    const SeenEllipse::Gain gain = body.gain(turn);
    (gain.value > 0 ? low : high) = turn;
    const double step = gain.slope < 0 ? -gain.value / gain.slope : 1;
    if (std::abs(step) <= kAngle) return turn;
    const Turn next = turn_towards(turn.cosine - step * turn.sine, turn.sine + step * turn.cosine);
    const bool is_between = gain.slope < 0 && low.sine_to(next) >= 0 && next.sine_to(high) >= 0;
    turn = is_between ? next : turn_towards(low.cosine + high.cosine, low.sine + high.sine);
  }
  return turn;
}

double gain_of(const SeenBody& body, const Turn& turn) { return body.gain(turn); }
double gain_of(const SeenEllipse& body, const Turn& turn) { return body.gain(turn).value; }

template <typename SeenShape>
Turn first_falling_turn(const SeenShape& seen, const NormalArc& arc) {
  const double whole = arc.end.angle();
  const int samples = std::max(1, static_cast<int>(whole / kSampling));
  Turn low;
  for (int i = 1; i <= samples; ++i) {
    const double angle = whole * i / samples;
    const Turn high = i < samples ? Turn{std::cos(angle), std::sin(angle)} : arc.end;
    if (gain_of(seen, high) < 0) return falling_turn(seen, low, high);
    low = high;
  }
  return arc.end;
}

// The center is what counts of a sphere.
Turn best_turn_of_sphere(const Vector3d& center, const NormalArc& arc) {
  const Vector3d offset = center - arc.point;
  const Turn towards = turn_towards(offset.dot(arc.start), offset.dot(arc.ahead));
  if (towards.sine < 0) return {};
  return towards.sine_to(arc.end) < 0 ? arc.end : towards;
}

}  // namespace

double distance_along(const Placed& body, const Vector3d& point, const Vector3d& normal) {
  return (support_point(body, -normal) - point).dot(normal);
}

double gain(const Placed& body, const NormalArc& arc, const Turn& turn) { return SeenBody(body, arc).gain(turn); }

Turn best_turn(const Placed& body, const NormalArc& arc) {
  if (body.shape->kind == ColliderKind::kSphere) return best_turn_of_sphere(body.p, arc);
  if (body.shape->kind == ColliderKind::kEllipsoid) return first_falling_turn(SeenEllipse(body, arc), arc);
  return first_falling_turn(SeenBody(body, arc), arc);
}

}  // namespace stickslip
