#include "stickslip/geometry/face_overlap.h"

#include <algorithm>
#include <cmath>

#include "stickslip/geometry/disc_overlap.h"
#include "stickslip/geometry/feature_names.h"
#include "stickslip/geometry/length_across.h"

namespace stickslip {
namespace {

// A reference plane steeper than this against the normal says nothing about distances along it.
constexpr double kSteep = 1e-3;

// A corner of the polygon while it is cut, seen along the normal: place in the plane and height above the reference's
// first vertex. The edge that leaves it is one of the polygon's own or a cut.
struct Corner {
  double u, v, height;
  std::int16_t own_from, own_to;  // ids of the polygon's own edge that leaves; own_from < 0: a cut
  std::int16_t cut;               // index of the reference edge that cut it
};

struct Polygon {
  int count = 0;
  std::array<Corner, OverlapPoints::kMax> corner;
};

// Axes of the plane across the normal.
struct Across {
  Vector3d origin, u, v, normal;

  Corner corner(const Vector3d& point) const {
    const Vector3d offset = point - origin;
    return {u.dot(offset), v.dot(offset), normal.dot(offset), 0, 0, 0};
  }
};

// The inner side of a reference edge.
struct Cut {
  double u, v;    // a point on it
  double du, dv;  // its direction, counter-clockwise

  double inside(const Corner& corner) const { return du * (corner.v - v) - dv * (corner.u - u); }
};

Corner between(const Corner& from, const Corner& to, double t) {
  Corner corner = from;
  corner.u += t * (to.u - from.u);
  corner.v += t * (to.v - from.v);
  corner.height += t * (to.height - from.height);
  return corner;
}

// What remains of the polygon on the inner side of reference edge k (Sutherland and Hodgman). False if all of it does:
// then `out` is not written.
bool cut_polygon(const Polygon& in, const Cut& cut, int k, Polygon& out) {
  std::array<double, OverlapPoints::kMax> inside;
  bool all_inside = true;
  for (int i = 0; i < in.count; ++i) {
    inside[i] = cut.inside(in.corner[i]);
    all_inside &= inside[i] >= 0;
  }
  if (all_inside) return false;
  out.count = 0;
  for (int i = 0; i < in.count && out.count < OverlapPoints::kMax - 1; ++i) {
    const int next = i + 1 < in.count ? i + 1 : 0;
    if (inside[i] >= 0) out.corner[out.count++] = in.corner[i];
    if ((inside[i] >= 0) == (inside[next] >= 0)) continue;
    Corner& corner = out.corner[out.count++];
    corner = between(in.corner[i], in.corner[next], inside[i] / (inside[i] - inside[next]));
    if (inside[i] >= 0) {  // leaves: the cut's edge begins here
      corner.own_from = -1;
      corner.cut = static_cast<std::int16_t>(k);
    }
  }
  return true;
}

// Names a corner by the two edges that meet there: (part of the polygon, part of the reference).
std::pair<std::uint32_t, std::uint32_t> corner_name(const Corner& before, const Corner& here,
                                                    const SupportFace& reference) {
  const bool own_in = before.own_from >= 0, own_out = here.own_from >= 0;
  const auto reference_edge = [&](int k) {
    return edge_name(reference.id[k], reference.id[k + 1 < reference.count ? k + 1 : 0]);
  };
  if (own_in && own_out) {
    if (before.own_to == here.own_from) return {vertex_name(here.own_from), kFaceName};
    return {edge_name(before.own_from, here.own_to), kFaceName};
  }
  if (own_in) return {edge_name(before.own_from, before.own_to), reference_edge(here.cut)};
  if (own_out) return {edge_name(here.own_from, here.own_to), reference_edge(before.cut)};
  // The corner where the two cuts meet; the polygon runs the other way round than the reference.
  const int after_here = here.cut + 1 < reference.count ? here.cut + 1 : 0;
  return {kFaceName, vertex_name(reference.id[before.cut == after_here ? before.cut : here.cut])};
}

double length_between(const Corner& a, const Corner& b) {
  return std::sqrt((a.u - b.u) * (a.u - b.u) + (a.v - b.v) * (a.v - b.v));
}

// Each corner has half of both its edges.
void weigh_by_perimeter(const Polygon& polygon, OverlapPoints& overlap) {
  const int count = polygon.count;
  double before = length_between(polygon.corner[count - 1], polygon.corner[0]);
  double perimeter = 0;
  for (int i = 0; i < count; ++i) {
    const double after = length_between(polygon.corner[i], polygon.corner[i + 1 < count ? i + 1 : 0]);
    overlap.points[i].weight = 0.5 * (before + after);
    perimeter += after;
    before = after;
  }
  const double scale = perimeter > 0 ? 1 / perimeter : 0;
  for (int i = 0; i < count; ++i) overlap.points[i].weight = scale > 0 ? scale * overlap.points[i].weight : 1.0 / count;
  overlap.perimeter = perimeter;
}

void start_polygon(const SupportFace& face, const Across& across, Polygon& polygon) {
  polygon.count = face.count;
  for (int i = 0; i < face.count; ++i) {
    const int next = i + 1 < face.count ? i + 1 : 0;
    polygon.corner[i] = across.corner(face.vertex[i]);
    polygon.corner[i].own_from = static_cast<std::int16_t>(face.id[i] & 0x7fff);
    polygon.corner[i].own_to = static_cast<std::int16_t>(face.id[next] & 0x7fff);
  }
}

Across axes_across(const Vector3d& origin, const Vector3d& toward, const Vector3d& normal) {
  Across across{origin, toward - origin, {}, normal};
  across.u -= across.u.dot(normal) * normal;
  const double squared = across.u.squaredNorm();
  across.u = squared > 0 ? Vector3d(across.u / std::sqrt(squared)) : normal.unitOrthogonal();
  across.v = normal.cross(across.u);
  return across;
}

// Two polygons. `reference` is the one whose plane is used; `outward` is the normal as seen from it.
void overlap_polygons(const SupportFace& reference, const SupportFace& other, const Vector3d& outward,
                      bool reference_is_a, OverlapPoints& overlap) {
  const Across across = axes_across(reference.vertex[0], reference.vertex[1], outward);
  Polygon polygons[2];
  int current = 0;
  start_polygon(other, across, polygons[0]);
  Corner start = across.corner(reference.vertex[0]);
  const Corner first = start;
  for (int k = 0; k < reference.count && polygons[current].count > 0; ++k) {
    const Corner end = k + 1 < reference.count ? across.corner(reference.vertex[k + 1]) : first;
    const Cut cut{start.u, start.v, end.u - start.u, end.v - start.v};
    if (cut_polygon(polygons[current], cut, k, polygons[1 - current])) current = 1 - current;
    start = end;
  }
  const Polygon& common = polygons[current];
  overlap.count = common.count;
  if (common.count == 0) return;
  // The reference's height over the plane's axes.
  const double steepness = reference.normal.dot(outward);
  const double slope_u = -reference.normal.dot(across.u) / steepness;
  const double slope_v = -reference.normal.dot(across.v) / steepness;
  for (int i = 0; i < common.count; ++i) {
    const Corner& here = common.corner[i];
    const Corner& before = common.corner[i > 0 ? i - 1 : common.count - 1];
    ManifoldPoint& point = overlap.points[i];
    const double base = slope_u * here.u + slope_v * here.v;
    point.distance = here.height - base;
    point.point_a =
        across.origin + here.u * across.u + here.v * across.v + (reference_is_a ? base : here.height) * outward;
    const auto [own, of_reference] = corner_name(before, here, reference);
    point.feature = reference_is_a ? feature_name(of_reference, own) : feature_name(own, of_reference);
  }
  weigh_by_perimeter(common, overlap);
}

// ---------------------------------------------------------------------------------------------------------------------

Vector3d inward(const SupportFace& reference, int k, const Vector3d& outward) {
  const int next = k + 1 < reference.count ? k + 1 : 0;
  return outward.cross(reference.vertex[next] - reference.vertex[k]);
}

// A huge cylinder's breadth means nothing to a small polygon.
constexpr double kLargestWidth = 1e-3;

// The part of a segment that lies over a face, and the names of the edges that bound it.
struct SegmentPart {
  double low = 0, high = 1;
  std::uint32_t low_edge = 0, high_edge = 0;

  bool is_empty() const { return low > high; }
};

SegmentPart part_over_polygon(const SupportFace& segment, const SupportFace& polygon, const Vector3d& outward,
                              double width) {
  const Vector3d start = segment.vertex[0], step = segment.vertex[1] - segment.vertex[0];
  SegmentPart part;
  for (int k = 0; k < polygon.count; ++k) {
    const int next = k + 1 < polygon.count ? k + 1 : 0;
    const Vector3d across = inward(polygon, k, outward);
    const double height = across.dot(start - polygon.vertex[k]) + width * across.norm();
    const double slope = across.dot(step);
    if (height < 0 && height + slope < 0) return {1, 0};
    if (height >= 0 && height + slope >= 0) continue;
    const double t = -height / slope;
    const std::uint32_t name = edge_name(polygon.id[k], polygon.id[next]);
    if (slope > 0 && t > part.low) part.low = t, part.low_edge = name;
    if (slope < 0 && t < part.high) part.high = t, part.high_edge = name;
  }
  return part;
}

// Where the line through `point` along `outward` meets the plane of a disc, from its center.
Vector3d place_on_disc(const SupportFace& disc, const Vector3d& point, const Vector3d& outward) {
  const Vector3d offset = point - disc.center;
  return offset - (disc.normal.dot(offset) / disc.normal.dot(outward)) * outward;
}

double radius_of(const SupportFace& disc) { return (disc.vertex[0] - disc.center).norm(); }

SegmentPart part_over_disc(const SupportFace& segment, const SupportFace& disc, const Vector3d& outward, double width) {
  const Vector3d start = place_on_disc(disc, segment.vertex[0], outward);
  const Vector3d step = place_on_disc(disc, segment.vertex[1], outward) - start;
  const double radius = radius_of(disc) + width, squared = step.squaredNorm();
  const double middle = -start.dot(step) / squared;  // of the chord
  const double discriminant = radius * radius - (start + middle * step).squaredNorm();
  if (!(squared > 0) || discriminant < 0) return {1, 0};
  const double half = std::sqrt(discriminant / squared);
  const std::uint32_t rim = edge_name(disc.id[0], disc.id[0]);
  SegmentPart part;
  if (middle - half > 0) part.low = middle - half, part.low_edge = rim;
  if (middle + half < 1) part.high = middle + half, part.high_edge = rim;
  return part;
}

// The nearest place over the face.
Vector3d moved_over(const SupportFace& face, const Vector3d& point, const Vector3d& outward) {
  if (face.is_round) {
    const Vector3d place = place_on_disc(face, point, outward);
    const double distance = place.norm(), radius = radius_of(face);
    return distance > radius ? Vector3d(point - (1 - radius / distance) * place) : point;
  }
  Vector3d over = point;
  for (int k = 0; k < face.count; ++k) {
    const Vector3d across = inward(face, k, outward);
    const double outside = -across.dot(over - face.vertex[k]);
    if (outside > 0) over += (outside / across.squaredNorm()) * across;
  }
  return over;
}

// A segment over a polygon or a disc. A point that lies outside by no more than the segment's breadth counts, measured
// where the face ends, so that a line contact along its edge neither comes and goes with round-off nor reads the
// plane's height where there is no plane.
void overlap_segment_polygon(const SupportFace& segment, const SupportFace& polygon, const Vector3d& outward,
                             bool polygon_is_a, OverlapPoints& overlap) {
  const Vector3d start = segment.vertex[0], step = segment.vertex[1] - segment.vertex[0];
  const double width = std::min(segment.width, kLargestWidth * (polygon.vertex[1] - polygon.vertex[0]).norm());
  const SegmentPart part = polygon.is_round ? part_over_disc(segment, polygon, outward, width)
                                            : part_over_polygon(segment, polygon, outward, width);
  if (part.is_empty()) return;
  const double steepness = polygon.normal.dot(outward);
  const auto add = [&](double t, std::uint32_t edge, int end) {
    const Vector3d over = moved_over(polygon, start + t * step, outward);
    ManifoldPoint& out = overlap.points[overlap.count++];
    out.distance = polygon.normal.dot(over - polygon.vertex[0]) / steepness;
    out.point_a = polygon_is_a ? Vector3d(over - out.distance * outward) : over;
    const std::uint32_t own = edge ? edge_name(segment.id[0], segment.id[1]) : vertex_name(segment.id[end]);
    out.feature = polygon_is_a ? feature_name(edge, own) : feature_name(own, edge);
    out.weight = 0.5;
  };
  add(part.low, part.low_edge, 0);
  add(part.high, part.high_edge, 1);
  overlap.perimeter = 2 * (part.high - part.low) * length_across(step, outward);
}

// ---------------------------------------------------------------------------------------------------------------------

// The range of t in [0, 1] for which |offset + t slope| <= breadth; empty if high < low.
void keep_within(double offset, double slope, double breadth, double& low, double& high) {
  if (std::abs(slope) <= 1e-300) {
    if (std::abs(offset) > breadth) high = low - 1;
    return;
  }
  const double t0 = (-breadth - offset) / slope, t1 = (breadth - offset) / slope;
  low = std::max(low, std::min(t0, t1));
  high = std::min(high, std::max(t0, t1));
}

// Two segments: strips with a breadth, so that the contact grows from the crossing point of skew lines to the common
// length of parallel ones without a jump.
void overlap_segments(const SupportFace& a, const SupportFace& b, const Vector3d& normal, OverlapPoints& overlap) {
  const Vector3d step_a = a.vertex[1] - a.vertex[0], step_b = b.vertex[1] - b.vertex[0];
  const Vector3d flat_a = step_a - step_a.dot(normal) * normal, flat_b = step_b - step_b.dot(normal) * normal;
  const double squared_b = flat_b.squaredNorm();
  if (!(squared_b > 0)) return;
  // In terms of t along A: s(t) along B, and the distance sideways from B's line.
  const Vector3d offset = a.vertex[0] - b.vertex[0];
  const Vector3d sideways = normal.cross(flat_b) / std::sqrt(squared_b);
  const double breadth = std::min(a.width, b.width) + 1e-9 * std::sqrt(std::min(flat_a.squaredNorm(), squared_b));
  double low = 0, high = 1;
  keep_within(sideways.dot(offset), sideways.dot(flat_a), breadth, low, high);
  const double s0 = flat_b.dot(offset) / squared_b, slope = flat_b.dot(flat_a) / squared_b;
  keep_within(s0 - 0.5, slope, 0.5, low, high);
  if (low > high) return;
  const auto add = [&](double t, int end) {
    const double s = std::clamp(s0 + t * slope, 0.0, 1.0);
    ManifoldPoint& out = overlap.points[overlap.count++];
    out.point_a = a.vertex[0] + t * step_a;
    out.distance = normal.dot(b.vertex[0] + s * step_b - out.point_a);
    out.weight = 0.5;
    out.feature = feature_name(edge_name(a.id[0], a.id[1]), vertex_name(end));
  };
  add(low, 0);
  add(high, 1);
  overlap.perimeter = 2 * (high - low) * flat_a.norm();
}

// Whether A's plane is what distances are measured from. Between two planes they are the same either way; of a face
// that is not flat the vertices know better than the plane, so that the other's is taken as long as it is not too
// steep.
bool is_reference(const SupportFace& a, double fit_a, const SupportFace& b, double fit_b) {
  constexpr double kNotTooSteep = 0.5;
  if (a.is_flat != b.is_flat && (a.is_flat ? fit_a : fit_b) > kNotTooSteep) return a.is_flat;
  return fit_a >= fit_b;
}

}  // namespace

void overlap_faces(const SupportFace& a, const SupportFace& b, const Vector3d& normal, OverlapPoints& overlap) {
  overlap.count = 0;
  overlap.perimeter = 0;
  if (a.count == 1 || b.count == 1) return;
  const double fit_a = a.normal.dot(normal), fit_b = -b.normal.dot(normal);
  if (a.count == 2 && b.count == 2) return overlap_segments(a, b, normal, overlap);
  if (a.count == 2) {
    if (fit_b > kSteep) overlap_segment_polygon(a, b, -normal, false, overlap);
    return;
  }
  if (b.count == 2) {
    if (fit_a > kSteep) overlap_segment_polygon(b, a, normal, true, overlap);
    return;
  }
  if (a.is_round || b.is_round) {
    if (std::min(fit_a, fit_b) < kSteep) return;
    return a.is_round ? overlap_disc(a, b, normal, true, overlap) : overlap_disc(b, a, -normal, false, overlap);
  }
  if (std::max(fit_a, fit_b) < kSteep) return;
  if (is_reference(a, fit_a, b, fit_b))
    overlap_polygons(a, b, normal, true, overlap);
  else
    overlap_polygons(b, a, -normal, false, overlap);
}

void overlap_plane(const SupportFace& b, const Vector3d& origin, const Vector3d& normal, OverlapPoints& overlap) {
  const Across across = axes_across(b.vertex[0], b.vertex[1], normal);
  Polygon polygon;
  start_polygon(b, across, polygon);
  overlap.count = b.count;
  for (int i = 0; i < b.count; ++i) {
    ManifoldPoint& point = overlap.points[i];
    point.distance = normal.dot(b.vertex[i] - origin);
    point.point_a = b.vertex[i] - point.distance * normal;
    point.feature = vertex_name(b.id[i]);
  }
  weigh_by_perimeter(polygon, overlap);
}

}  // namespace stickslip
