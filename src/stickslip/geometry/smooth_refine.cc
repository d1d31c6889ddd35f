#include "stickslip/geometry/smooth_refine.h"

#include <algorithm>
#include <optional>

#include "stickslip/geometry/surface_piece.h"

namespace stickslip {
namespace {

constexpr int kMaxIterations = 40;
constexpr double kConverged = 1e-8;            // [rad]: Newton's next step is the square of it
constexpr double kLongestStep = 0.3;           // [rad]
constexpr double kBlindStep = 0.05;            // [rad], uphill, where the curvature gives no length
constexpr double kRoundOff = 1e-15;            // of the scale
constexpr double kSlack = 1e-13;               // of the scale: two pieces this close are equal
constexpr double kParallel = 1e-9;             // [rad]: cap upon cap
constexpr double kBesideAxis = 0.999;          // cosine: GJK and EPA end that close to the best direction, or closer
constexpr double kTangentBesideAxis = 0.0448;  // of that angle: of half of twice as much, to be safe
constexpr double kNearAxis = 0.9;              // cosine: a cylinder's cap may be what touches

// One of the functions s is the least of, about a direction u and in the plane of its two tangents.
struct Piece {
  int a, b;
  double multiplier;
  double value;
  Vector2d slope;
  Matrix2d bend;  // second derivative on the unit sphere
  Vector3d on_a;
};

struct ActiveSet {
  int count = 0;
  std::array<Piece, 3> pieces;

  Piece* find(const DifferencePoint& point) {
    for (int k = 0; k < count; ++k) {
      if (pieces[k].a == point.piece_a && pieces[k].b == point.piece_b) return &pieces[k];
    }
    return nullptr;
  }
  void remove(int index) {
    for (int k = index; k + 1 < count; ++k) pieces[k] = pieces[k + 1];
    --count;
  }
  Matrix2d bend() const {
    Matrix2d sum = Matrix2d::Zero();
    for (int k = 0; k < count; ++k) sum += pieces[k].multiplier * pieces[k].bend;
    return sum;
  }
};

Matrix32d tangents_of(const Vector3d& u) {
  Matrix32d tangents;
  tangents.col(0) = u.unitOrthogonal();
  tangents.col(1) = u.cross(tangents.col(0));
  return tangents;
}

void evaluate(const CorePair& pair, const Vector3d& u, const Matrix32d& tangents, Piece& piece) {
  const Vector3d u_b = -(pair.R.transpose() * u);
  piece.on_a = piece_point(pair.a, piece.a, u);
  const Vector3d w = pair.p + (pair.R * piece_point(pair.b, piece.b, u_b) - piece.on_a);
  piece.value = u.dot(w);
  piece.slope = tangents.transpose() * w;
  const Matrix32d tangents_b = pair.R.transpose() * tangents;
  piece.bend = -(piece_curvature(pair.a, u, tangents) + piece_curvature(pair.b, u_b, tangents_b));
  piece.bend.diagonal().array() -= piece.value;
}

double cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

// One function: its maximum, or a short way uphill if it has none here.
Vector2d step_on_one(const ActiveSet& active) {
  const Matrix2d bend = active.pieces[0].bend;
  const Vector2d& slope = active.pieces[0].slope;
  const double determinant = bend.determinant();
  if (determinant > 0 && bend(0, 0) < 0) {
    return Vector2d(-(bend(1, 1) * slope.x() - bend(0, 1) * slope.y()),
                    -(bend(0, 0) * slope.y() - bend(1, 0) * slope.x())) /
           determinant;
  }
  const double steepness = slope.norm();
  return steepness > 0 ? Vector2d(slope * (kBlindStep / steepness)) : Vector2d::Zero();
}

// Two functions: the highest point of the line on which they are equal.
Vector2d step_on_two(ActiveSet& active) {
  Piece &first = active.pieces[0], &second = active.pieces[1];
  const Vector2d difference = first.slope - second.slope;
  const double length2 = difference.squaredNorm();
  if (!(length2 > 0)) return Vector2d::Zero();
  const Vector2d onto = difference * ((second.value - first.value) / length2);
  const Vector2d along = Vector2d(-difference.y(), difference.x()) / std::sqrt(length2);
  const Matrix2d bend = active.bend();
  const double slope = along.dot(second.slope + bend * onto), curvature = along.dot(bend * along);
  const double far = curvature < 0 ? -slope / curvature : std::copysign(slope != 0 ? kBlindStep : 0, slope);
  const Vector2d step = onto + far * along;
  // Where a blind step ends has nothing to do with how much the pieces hold up here.
  first.multiplier = -difference.dot(second.slope + bend * (curvature < 0 ? step : onto)) / length2;
  second.multiplier = 1 - first.multiplier;
  return step;
}

// Three functions: where all are equal.
Vector2d step_on_three(ActiveSet& active) {
  auto& [first, second, third] = active.pieces;
  const Vector2d a = first.slope - third.slope, b = second.slope - third.slope;
  const double determinant = cross(a, b);
  if (!(std::abs(determinant) > 1e-12 * a.norm() * b.norm())) {  // two of them differ by nothing: one is enough
    active.remove(active.pieces[1].multiplier < active.pieces[0].multiplier ? 1 : 0);
    return step_on_two(active);
  }
  const double rise_a = third.value - first.value, rise_b = third.value - second.value;
  const Vector2d step = Vector2d(rise_a * b.y() - rise_b * a.y(), rise_b * a.x() - rise_a * b.x()) / determinant;
  const Vector2d rest = -(third.slope + active.bend() * step);
  first.multiplier = cross(rest, b) / determinant;
  second.multiplier = cross(a, rest) / determinant;
  third.multiplier = 1 - first.multiplier - second.multiplier;
  return step;
}

// Solves for the active pieces; those that hold nothing up leave.
Vector2d find_step(ActiveSet& active) {
  for (;;) {
    if (active.count == 1) {
      active.pieces[0].multiplier = 1;
      return step_on_one(active);
    }
    const Vector2d step = active.count == 2 ? step_on_two(active) : step_on_three(active);
    int least = 0;
    for (int k = 1; k < active.count; ++k) {
      if (active.pieces[k].multiplier < active.pieces[least].multiplier) least = k;
    }
    if (active.pieces[least].multiplier >= 0) return step;
    active.remove(least);
    double sum = 0;
    for (int k = 0; k < active.count; ++k) sum += active.pieces[k].multiplier;
    for (int k = 0; k < active.count; ++k) active.pieces[k].multiplier /= sum;
  }
}

// Of three functions and a lower fourth, one leaves: that which keeps zero among the slopes' convex combinations.
void exchange(const Piece& entering, ActiveSet& active) {
  if (active.count < 3) {
    active.pieces[active.count++] = entering;
    return;
  }
  int leaving = 0;
  double best = -HUGE_VAL;
  for (int k = 0; k < 3; ++k) {
    const Vector2d &one = active.pieces[(k + 1) % 3].slope, &other = active.pieces[(k + 2) % 3].slope;
    const double at_entering = cross(one, other), at_one = cross(other, entering.slope),
                 at_other = cross(entering.slope, one);
    const double sum = at_entering + at_one + at_other;
    if (sum == 0) continue;
    const double least = std::min({at_entering / sum, at_one / sum, at_other / sum});
    if (least > best) {
      best = least;
      leaving = k;
    }
  }
  active.pieces[leaving] = entering;
}

ActiveSet pieces_of(const Simplex& simplex) {
  ActiveSet active;
  for (int k = 0; k < std::min(simplex.count, 3); ++k) {
    const DifferencePoint& point = simplex.points[k];
    if (Piece* known = active.find(point)) {
      known->multiplier += simplex.weights[k];
    } else {
      Piece& piece = active.pieces[active.count++];
      piece.a = point.piece_a;
      piece.b = point.piece_b;
      piece.multiplier = simplex.weights[k];
    }
  }
  return active;
}

Vector3d weighted_on_a(const ActiveSet& active) {
  Vector3d sum = Vector3d::Zero();
  for (int k = 0; k < active.count; ++k) sum += active.pieces[k].multiplier * active.pieces[k].on_a;
  return sum;
}

// The two ways a cylinder's cap looks, as the normal of a gap near `normal`; false if neither is near.
bool snap_to_axis(const Vector3d& axis, Vector3d& normal) {
  const double cosine = axis.dot(normal);
  if (std::abs(cosine) < kNearAxis) return false;
  normal = std::copysign(1.0, cosine) * axis;
  return true;
}

// A gap along a cylinder's axis.
struct CapGap {
  Gap gap;
  double inside = 0;  // how far from the rim the other core's point is; negative: not over the cap

  // With depth d and the point p within the rim r, along a direction at an angle t from the axis the overlap is at
  // least d cos t + (r - |p|) sin t, which is less than d only beyond tan(t / 2) = (r - |p|) / d.
  bool is_best_within(double tangent_of_half) const { return inside >= -gap.distance * tangent_of_half; }
};

double distance_from_rim(const Vector3d& point, const Vector3d& half) {
  return half.x() - std::hypot(point.x(), point.y());
}

// Where a core that faces a cap is met: among its points that are farthest along the direction (one, or an edge, a
// face, another cap), those that were found before have their weights.
Vector3d facing_point(const ConvexCore& core, const Vector3d& direction, const Simplex& simplex,
                      int DifferencePoint::* piece, const std::array<Vector3d, 3>& found) {
  const bool is_cap = core.kind == ConvexCore::Kind::kCylinder && std::hypot(direction.x(), direction.y()) < kParallel;
  const Vector3d farthest = support(core, direction).position;
  Vector3d sum = Vector3d::Zero();
  double weight = 0;
  for (int k = 0; k < simplex.count; ++k) {
    const Vector3d point = is_cap ? found[k] : piece_point(core, simplex.points[k].*piece, direction);
    if (direction.dot(point - farthest) < -kParallel * core.size) continue;
    sum += simplex.weights[k] * point;
    weight += simplex.weights[k];
  }
  return weight > 0 ? Vector3d(sum / weight) : farthest;
}

// A cap of a cylinder is a kink of the rim's function that Newton cannot see, so the axis itself is tried. It is the
// answer if what is farthest along it on the other side is over the cap.
bool try_cap_of_a(const CorePair& pair, const Simplex& simplex, CapGap& cap) {
  Vector3d normal = cap.gap.normal;
  if (pair.a.kind != ConvexCore::Kind::kCylinder || !snap_to_axis(Vector3d::UnitZ(), normal)) return false;
  std::array<Vector3d, 3> found;
  for (int k = 0; k < simplex.count; ++k) found[k] = pair.R.transpose() * simplex.points[k].b;
  const Vector3d direction = -(pair.R.transpose() * normal);
  const Vector3d facing = pair.p + pair.R * facing_point(pair.b, direction, simplex, &DifferencePoint::piece_b, found);
  cap.inside = distance_from_rim(facing, pair.a.half);
  if (cap.inside < 0) return false;
  cap.gap = {normal, normal.dot(support(pair, normal).w),
             Vector3d(facing.x(), facing.y(), std::copysign(pair.a.half.z(), normal.z()))};
  return true;
}

bool try_cap_of_b(const CorePair& pair, const Simplex& simplex, CapGap& cap) {
  const Vector3d axis = pair.R.col(2);
  Vector3d normal = cap.gap.normal;
  if (pair.b.kind != ConvexCore::Kind::kCylinder || !snap_to_axis(axis, normal)) return false;
  std::array<Vector3d, 3> found;
  for (int k = 0; k < simplex.count; ++k) found[k] = simplex.points[k].a;
  const Vector3d facing = facing_point(pair.a, normal, simplex, &DifferencePoint::piece_a, found);
  cap.inside = distance_from_rim(pair.R.transpose() * (facing - pair.p), pair.b.half);
  if (cap.inside < 0) return false;
  cap.gap = {normal, normal.dot(support(pair, normal).w), facing};
  return true;
}

double expected(const ActiveSet& active) {
  double sum = 0;
  for (int k = 0; k < active.count; ++k) sum += active.pieces[k].multiplier * active.pieces[k].value;
  return sum;
}

// Pieces are evaluated about the normal, then one that was found to be lower elsewhere takes its place among them.
void evaluate_all(const CorePair& pair, const Vector3d& normal, const Matrix32d& tangents,
                  std::optional<Piece>& entering, ActiveSet& active) {
  for (int k = 0; k < active.count; ++k) evaluate(pair, normal, tangents, active.pieces[k]);
  if (!entering) return;
  evaluate(pair, normal, tangents, *entering);
  exchange(*entering, active);
  entering.reset();
}

bool climb(const CorePair& pair, const Simplex& simplex, Gap& gap) {
  ActiveSet active = pieces_of(simplex);
  std::optional<Piece> entering;
  double shortening = 1;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const Matrix32d tangents = tangents_of(gap.normal);
    evaluate_all(pair, gap.normal, tangents, entering, active);
    Vector2d step = find_step(active);
    const double length = step.norm();
    step *= shortening * kLongestStep / std::max(length, kLongestStep);
    const Vector3d turned = (gap.normal + tangents * step).normalized();
    const DifferencePoint lowest = support(pair, turned);
    const double distance = turned.dot(lowest.w);
    const bool is_last = length < kConverged && distance > expected(active) - kSlack * pair.scale;
    const bool is_better = distance > gap.distance;
    if (is_better || is_last) {
      gap.normal = turned;
      gap.distance = distance;
    }
    if (is_last) {
      evaluate_all(pair, turned, tangents, entering, active);
      gap.on_a = weighted_on_a(active);
      return true;
    }
    if (!active.find(lowest)) {
      entering = Piece{.a = lowest.piece_a, .b = lowest.piece_b, .multiplier = 0};
    }
    shortening = is_better || entering ? 1 : 0.5 * shortening;
  }
  gap.on_a = weighted_on_a(active);
  return false;
}

}  // namespace

bool refine(const CorePair& pair, const Simplex& simplex, Gap& gap) {
  gap.distance = gap.normal.dot(support(pair, gap.normal).w);
  CapGap cap{gap};
  const bool has_cap = try_cap_of_a(pair, simplex, cap) || try_cap_of_b(pair, simplex, cap);
  const double round_off = kRoundOff * pair.scale;
  const bool is_higher = has_cap && cap.gap.distance >= gap.distance - round_off;
  const bool is_beside = cap.gap.normal.dot(gap.normal) > kBesideAxis;
  if (is_higher && (cap.gap.distance > 0 || (is_beside && cap.is_best_within(kTangentBesideAxis)))) {
    gap = cap.gap;
    return true;
  }
  const bool converged = climb(pair, simplex, gap);
  if (!has_cap || cap.gap.distance < gap.distance - round_off) return converged;
  gap = cap.gap;
  return true;
}

}  // namespace stickslip
