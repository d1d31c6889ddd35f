#include "stickslip/geometry/disc_overlap.h"

#include <algorithm>
#include <cmath>

#include "stickslip/geometry/feature_names.h"
#include "stickslip/geometry/length_across.h"

namespace stickslip {
namespace {

using Eigen::Vector2d;

constexpr int kRimPoints = 8;
// A second disc is drawn with four sides between two of its points: at most 0.5 % of its radius off the true one.
constexpr int kArcSides = 4;
constexpr double kOnArc[kArcSides - 1][2] = {  // sin(45 - t) / sin(45) and sin(t) / sin(45) for t = 11.25, ... degrees
    {0.7856949583871022, 0.275899379282943},
    {0.541196100146197, 0.541196100146197},
    {0.275899379282943, 0.7856949583871022}};

int next_vertex(const SupportFace& face, int k) { return k + 1 < face.count ? k + 1 : 0; }

// The plane of the disc, which is a unit circle there; points are seen along the normal.
struct DiscPlane {
  Vector3d center, u, v, normal, outward;
  double radius, steepness;

  DiscPlane(const SupportFace& disc, const Vector3d& along)
      : center(disc.center), normal(disc.normal), outward(along), steepness(disc.normal.dot(along)) {
    const Vector3d arm = disc.vertex[0] - disc.center;
    radius = arm.norm();
    u = arm / radius;
    v = normal.cross(u);
  }
  double distance(const Vector3d& point) const { return normal.dot(point - center) / steepness; }
  Vector2d place(const Vector3d& point) const {
    const Vector3d on_plane = point - distance(point) * outward - center;
    return {u.dot(on_plane) / radius, v.dot(on_plane) / radius};
  }
  Vector3d point(const Vector2d& place) const { return center + radius * (place.x() * u + place.y() * v); }
};

// The other face, drawn with straight sides.
struct Drawn {
  static constexpr int kMax = kMaxFaceVertices;
  int count = 0;
  std::array<Vector3d, kMax> point;
  std::array<Vector2d, kMax> place;  // in the disc's plane: clockwise, since it looks the other way

  int after(int i) const { return i + 1 < count ? i + 1 : 0; }
};

void draw(const SupportFace& face, const DiscPlane& plane, Drawn& drawn) {
  const auto add = [&](const Vector3d& point) {
    drawn.point[drawn.count] = point;
    drawn.place[drawn.count++] = plane.place(point);
  };
  for (int i = 0; i < face.count; ++i) {
    add(face.vertex[i]);
    if (!face.is_round) continue;
    const Vector3d start = face.vertex[i] - face.center, end = face.vertex[next_vertex(face, i)] - face.center;
    for (const auto& [of_start, of_end] : kOnArc) add(face.center + of_start * start + of_end * end);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// What each of a disc's eight points has of its rim.

// Less than this part of the radius is round-off.
constexpr double kNoLength = 1e-9;

struct Rim {
  std::array<double, kRimPoints> length{}, moment{};  // moment: of the place along the rim, in arcs from the point

  bool has(int k, double radius) const { return length[k] > kNoLength * radius; }

  // From place x to y of an arc, 0 <= x <= y <= 1.
  void add_part(int arc, double x, double y, double size) {
    const double middle = 0.5 * (x + y), bend = middle - (x * x + x * y + y * y) / 3;
    const int next = arc + 1 < kRimPoints ? arc + 1 : 0;
    length[arc] += size * (1 - middle);
    moment[arc] += size * bend;
    length[next] += size * middle;
    moment[next] -= size * bend;
  }
  // In arcs from the first point, 0 <= start <= end <= 8; `size` of one arc.
  void add(double start, double end, const std::array<double, kRimPoints>& size) {
    for (int arc = static_cast<int>(start); arc < kRimPoints && arc < end; ++arc) {
      const double x = std::max(0.0, start - arc), y = std::min(1.0, end - arc);
      add_part(arc, x, y, (y - x) * size[arc]);
    }
  }
};

// Places on the unit circle, in arcs, that the sides of a polygon cut off.
struct CutOff {
  struct Range {
    double start, end;
  };
  static constexpr int kMax = 2 * Drawn::kMax;
  int count = 0;
  std::array<Range, kMax> range;
  bool is_all = false;

  // Outside of the line of points x with direction . x = offset, direction unit.
  void add(const Vector2d& direction, double offset) {
    if (offset >= 1) return;
    is_all |= offset <= -1;
    if (is_all) return;
    constexpr double kArcs = 4 / M_PI;  // per radian
    const double middle = kArcs * std::atan2(direction.y(), direction.x()), half = kArcs * std::acos(offset);
    const double start = middle - half < 0 ? middle - half + kRimPoints : middle - half, end = start + 2 * half;
    range[count++] = {start, std::min<double>(end, kRimPoints)};
    if (end > kRimPoints) range[count++] = {0, end - kRimPoints};
  }

  template <class Visitor>
  void visit_rest(Visitor&& visit) {
    if (is_all) return;
    std::sort(range.begin(), range.begin() + count, [](const Range& a, const Range& b) { return a.start < b.start; });
    double from = 0;
    for (int i = 0; i < count; ++i) {
      if (range[i].start > from) visit(from, range[i].start);
      from = std::max(from, range[i].end);
    }
    if (from < kRimPoints) visit(from, kRimPoints);
  }
};

Rim rim_inside(const SupportFace& disc, const DiscPlane& plane, const Drawn& other) {
  CutOff cut_off;
  for (int k = 0; k < other.count; ++k) {
    const Vector2d &start = other.place[k], step = other.place[other.after(k)] - start;
    const double length = step.norm();
    if (!(length > 0)) continue;
    const Vector2d direction = Vector2d(-step.y(), step.x()) / length;  // outward: the sides run clockwise
    cut_off.add(direction, direction.dot(start));
  }
  std::array<double, kRimPoints> size;
  for (int k = 0; k < kRimPoints; ++k) {
    size[k] = length_across(disc.vertex[next_vertex(disc, k)] - disc.vertex[k], plane.outward);
  }
  Rim rim;
  cut_off.visit_rest([&](double start, double end) { rim.add(start, end, size); });
  return rim;
}

// The point of the rim at `offset` arcs from vertex k.
Vector3d rim_point(const SupportFace& disc, int k, double offset) {
  constexpr double kSamePlace = 1e-12;
  if (std::abs(offset) < kSamePlace) return disc.vertex[k];
  const int next = offset > 0 ? next_vertex(disc, k) : (k > 0 ? k - 1 : disc.count - 1);
  const double angle = std::abs(offset) * M_PI_4;
  return disc.center + M_SQRT2 * (std::sin(M_PI_4 - angle) * (disc.vertex[k] - disc.center) +
                                  std::sin(angle) * (disc.vertex[next] - disc.center));
}

// ---------------------------------------------------------------------------------------------------------------------
// Points.

struct Overlap {
  const DiscPlane& plane;
  const SupportFace& other;
  bool disc_is_a;
  OverlapPoints& out;

  void add(const Vector3d& on_disc, double distance, double weight, std::uint32_t of_disc, std::uint32_t of_other) {
    if (out.count == OverlapPoints::kMax) return;
    out.points[out.count++] = {disc_is_a ? on_disc : Vector3d(on_disc + distance * plane.outward), distance, weight,
                               disc_is_a ? feature_name(of_disc, of_other) : feature_name(of_other, of_disc)};
  }
  void add_on_other(const Vector3d& point, double weight, std::uint32_t of_disc, std::uint32_t of_other) {
    const double distance = plane.distance(point);
    add(point - distance * plane.outward, distance, weight, of_disc, of_other);
  }
  void add_on_disc(const Vector3d& point, double weight, std::uint32_t of_disc) {
    const double distance = other.normal.dot(other.vertex[0] - point) / other.normal.dot(plane.outward);
    add(point, distance, weight, of_disc, kFaceName);
  }
};

// A part of the rim that is cut in its middle has that middle outside of the polygon.
Vector2d moved_inside(const Drawn& other, Vector2d place) {
  for (int k = 0; k < other.count; ++k) {
    const Vector2d step = other.place[other.after(k)] - other.place[k], across(-step.y(), step.x());
    const double outside = across.dot(place - other.place[k]);
    if (outside > 0) place -= (outside / across.squaredNorm()) * across;
  }
  return place;
}

void add_own_rim(Overlap& overlap, const SupportFace& disc, const Drawn& other) {
  const Rim rim = rim_inside(disc, overlap.plane, other);
  for (int k = 0; k < kRimPoints; ++k) {
    if (!rim.has(k, overlap.plane.radius)) continue;
    const Vector3d point = rim_point(disc, k, rim.moment[k] / rim.length[k]);
    const Vector2d place = overlap.plane.place(point), inside = moved_inside(other, place);
    overlap.add_on_disc(place == inside ? point : overlap.plane.point(inside), rim.length[k], vertex_name(disc.id[k]));
  }
}

void add_other_rim(Overlap& overlap, const Rim& rim) {
  const SupportFace& disc = overlap.other;
  for (int k = 0; k < kRimPoints; ++k) {
    if (!rim.has(k, overlap.plane.radius)) continue;
    const Vector3d point = rim_point(disc, k, rim.moment[k] / rim.length[k]);
    const Vector2d place = overlap.plane.place(point);
    if (place.squaredNorm() <= 1)
      overlap.add_on_other(point, rim.length[k], kFaceName, vertex_name(disc.id[k]));
    else
      overlap.add_on_disc(overlap.plane.point(place.normalized()), rim.length[k], kFaceName);
  }
}

// The part of a side that is in the unit circle.
struct SidePart {
  double low, high;
};

SidePart part_inside(const Vector2d& start, const Vector2d& step) {
  const double squared = step.squaredNorm();
  if (!(squared > 0)) return {1, 0};
  const double middle = -start.dot(step) / squared, room = 1 - (start + middle * step).squaredNorm();
  if (room < 0) return {1, 0};
  const double half = std::sqrt(room / squared);
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

// The sides of the polygon inside the disc: points where they cross the rim, and the polygon's own corners. Of another
// disc they are parts of its rim.
void add_sides(Overlap& overlap, const SupportFace& disc, const Drawn& drawn) {
  const SupportFace& other = overlap.other;
  const std::uint32_t inward = edge_name(disc.id[0], disc.id[0]), outward = edge_name(disc.id[0], disc.id[1]);
  std::array<double, Drawn::kMax> corner{};
  Rim rim;
  for (int k = 0; k < drawn.count; ++k) {
    const int next = drawn.after(k);
    const Vector3d step = drawn.point[next] - drawn.point[k];
    const SidePart part = part_inside(drawn.place[k], drawn.place[next] - drawn.place[k]);
    if (part.low > part.high) continue;
    const double length = (part.high - part.low) * length_across(step, overlap.plane.outward);
    if (other.is_round) {
      const int first = k % kArcSides;
      rim.add_part(k / kArcSides, (first + part.low) / kArcSides, (first + part.high) / kArcSides, length);
      continue;
    }
    const std::uint32_t name = edge_name(other.id[k], other.id[next]);
    if (part.low > 0)
      overlap.add_on_other(drawn.point[k] + part.low * step, 0.5 * length, inward, name);
    else
      corner[k] += 0.5 * length;
    if (part.high < 1)
      overlap.add_on_other(drawn.point[k] + part.high * step, 0.5 * length, outward, name);
    else
      corner[next] += 0.5 * length;
  }
  for (int k = 0; k < drawn.count; ++k) {
    if (corner[k] > 0) overlap.add_on_other(drawn.point[k], corner[k], kFaceName, vertex_name(other.id[k]));
  }
  if (other.is_round) add_other_rim(overlap, rim);
}

void normalize(OverlapPoints& overlap) {
  overlap.perimeter = 0;
  for (int i = 0; i < overlap.count; ++i) overlap.perimeter += overlap.points[i].weight;
  if (!(overlap.perimeter > 0)) overlap.count = 0;
  for (int i = 0; i < overlap.count; ++i) overlap.points[i].weight /= overlap.perimeter;
}

}  // namespace

void overlap_disc(const SupportFace& disc, const SupportFace& other, const Vector3d& outward, bool disc_is_a,
                  OverlapPoints& out) {
  const DiscPlane plane(disc, outward);
  Overlap overlap{plane, other, disc_is_a, out};
  Drawn drawn;
  draw(other, plane, drawn);
  add_sides(overlap, disc, drawn);
  add_own_rim(overlap, disc, drawn);
  normalize(out);
}

}  // namespace stickslip
