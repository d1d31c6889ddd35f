#include "stickslip/geometry/box_box_manifold.h"

#include <cmath>
#include <utility>

#include "stickslip/geometry/feature_names.h"
#include "stickslip/geometry/support_faces.h"

namespace stickslip {
namespace {

// The face whose normal is along a direction.
struct BoxFace {
  int axis = 0, u = 0, v = 0;
  double sign = 1;

  int vertex(bool positive_u, bool positive_v) const {
    return (static_cast<int>(sign > 0) << axis) | (static_cast<int>(positive_u) << u) |
           (static_cast<int>(positive_v) << v);
  }
};

BoxFace face_along(const Vector3d& d, int axis) {
  return {axis, (axis + 1) % 3, (axis + 2) % 3, d[axis] < 0 ? -1.0 : 1.0};
}

// A corner of the clipped polygon, in the reference face's axes. `leaving` names the edge that leaves it: a number
// below kCut is one of the polygon's own sides, from kCut on it is a side of the rectangle.
struct Corner {
  double u, v, height;
  long leaving;
};
constexpr int kCut = 4;

constexpr int kMaxCorners = 8;
struct Corners {
  int count = 0;
  std::array<Corner, kMaxCorners + 1> at;
};

// Keeps what lies within `half` on one side of one axis (0: u, 1: v). A convex polygon gains one corner at most.
template <int kAxis, int kSign>
void cut(const Corners& in, double half, Corners& out) {
  const auto inside = [half](const Corner& c) { return half - kSign * (kAxis == 0 ? c.u : c.v); };
  constexpr long kName = kCut + 2 * kAxis + (kSign > 0 ? 1 : 0);
  out.count = 0;
  double here = inside(in.at[0]);
  for (int i = 0; i < in.count; ++i) {
    const Corner& corner = in.at[i];
    const Corner& following = in.at[i + 1 < in.count ? i + 1 : 0];
    const double next = inside(following);
    if (here >= 0) out.at[out.count++] = corner;
    if ((here >= 0) != (next >= 0)) {
      const double t = here / (here - next);
      out.at[out.count++] = {corner.u + t * (following.u - corner.u), corner.v + t * (following.v - corner.v),
                             corner.height + t * (following.height - corner.height),
                             here >= 0 ? kName : corner.leaving};
    }
    here = next;
  }
}

const Corners* clip(Corners& first, Corners& second, double half_u, double half_v) {
  Corners* from = &first;
  Corners* to = &second;
  double low_u = 0, high_u = 0, low_v = 0, high_v = 0;
  for (int i = 0; i < 4; ++i) {
    low_u = std::min(low_u, first.at[i].u), high_u = std::max(high_u, first.at[i].u);
    low_v = std::min(low_v, first.at[i].v), high_v = std::max(high_v, first.at[i].v);
  }
  if (low_u < -half_u) cut<0, -1>(*from, half_u, *to), std::swap(from, to);
  if (high_u > half_u) cut<0, 1>(*from, half_u, *to), std::swap(from, to);
  if (low_v < -half_v) cut<1, -1>(*from, half_v, *to), std::swap(from, to);
  if (high_v > half_v) cut<1, 1>(*from, half_v, *to), std::swap(from, to);
  return from;
}

// Names of the rectangle's sides and of the polygon's own, and what they make where they meet.
struct Names {
  std::array<int, 4> polygon_vertex;            // side i runs from vertex i to i + 1
  std::array<std::array<int, 2>, 4> rectangle;  // the ends of each side

  std::uint32_t own_edge(long side) const { return edge_name(polygon_vertex[side], polygon_vertex[(side + 1) % 4]); }
  std::uint32_t cut_edge(long side) const { return edge_name(rectangle[side - kCut][0], rectangle[side - kCut][1]); }
  // (the polygon's part, the rectangle's part)
  std::pair<std::uint32_t, std::uint32_t> meeting(long arriving, long leaving) const {
    if (arriving < kCut && leaving < kCut) return {vertex_name(polygon_vertex[leaving]), kFaceName};
    if (arriving < kCut) return {own_edge(arriving), cut_edge(leaving)};
    if (leaving < kCut) return {own_edge(leaving), cut_edge(arriving)};
    const auto& [a0, a1] = rectangle[arriving - kCut];
    const auto& [b0, b1] = rectangle[leaving - kCut];
    return {kFaceName, vertex_name(a0 == b0 || a0 == b1 ? a0 : a1)};
  }
};

Names make_names(const BoxFace& polygon, const BoxFace& rectangle) {
  Names names{};
  for (int i = 0; i < 4; ++i) {
    const bool u = i == 1 || i == 2, v = i >= 2;
    names.polygon_vertex[i] = polygon.vertex(u, v);
  }
  for (int side = 0; side < 2; ++side) {
    names.rectangle[side] = {rectangle.vertex(side, false), rectangle.vertex(side, true)};
    names.rectangle[2 + side] = {rectangle.vertex(false, side), rectangle.vertex(true, side)};
  }
  return names;
}

// Coordinates that turn the rectangle's sides into lines of constant u or v for anything seen along the contact's
// normal: x = u U + v V + height * outward, U and V along the sides.
struct Oblique {
  Vector3d U, V, N, outward;
  double lean_u = 0, lean_v = 0, steepness = 1;  // outward = lean_u U + lean_v V + steepness N

  Corner of(const Vector3d& x) const {
    const double height = N.dot(x) / steepness;
    return {U.dot(x) - lean_u * height, V.dot(x) - lean_v * height, height, 0};
  }
  // Seen along the normal.
  double length_between(const Corner& a, const Corner& b) const {
    const double du = a.u - b.u, dv = a.v - b.v, along = lean_u * du + lean_v * dv;
    return std::sqrt(std::max(0.0, du * du + dv * dv - along * along));
  }
};

Oblique oblique(const Placed& box, const BoxFace& face, const Vector3d& outward) {
  Oblique out{box.R.col(face.u), box.R.col(face.v), face.sign * box.R.col(face.axis), outward};
  out.lean_u = out.U.dot(outward);
  out.lean_v = out.V.dot(outward);
  out.steepness = out.N.dot(outward);
  return out;
}

// The polygon's corners in the rectangle's coordinates.
void start(const Placed& box, const BoxFace& face, const Vector3d& origin, const Oblique& axes, Corners& corners) {
  const Vector3d& half = box.shape->half;
  const Corner center = axes.of(box.p + (face.sign * half[face.axis]) * box.R.col(face.axis) - origin);
  const Corner side_u = axes.of(half[face.u] * box.R.col(face.u)), side_v = axes.of(half[face.v] * box.R.col(face.v));
  const auto put = [&](int i, double su, double sv) {
    corners.at[i] = {center.u + su * side_u.u + sv * side_v.u, center.v + su * side_u.v + sv * side_v.v,
                     center.height + su * side_u.height + sv * side_v.height, i};
  };
  corners.count = 4;
  put(0, -1, -1);
  put(1, 1, -1);
  put(2, 1, 1);
  put(3, -1, 1);
}

// A face of `reference` is the rectangle; `outward` the normal as seen from it.
bool fill(const Placed& reference, const BoxFace& rectangle, const Placed& other, const BoxFace& polygon,
          const Vector3d& outward, bool reference_is_a, Manifold& manifold) {
  const Oblique axes = oblique(reference, rectangle, outward);
  const Vector3d origin = reference.p + reference.shape->half[rectangle.axis] * axes.N;
  Corners first, second;
  start(other, polygon, origin, axes, first);
  const Corners& common = *clip(first, second, reference.shape->half[rectangle.u], reference.shape->half[rectangle.v]);
  if (common.count == 0) return false;
  const Names names = make_names(polygon, rectangle);
  double before = axes.length_between(common.at[common.count - 1], common.at[0]), perimeter = 0;
  long arriving = common.at[common.count - 1].leaving;
  for (int i = 0; i < common.count; ++i) {
    const Corner& corner = common.at[i];
    const double after = axes.length_between(corner, common.at[i + 1 < common.count ? i + 1 : 0]);
    ManifoldPoint& point = manifold.points[i];
    point.distance = corner.height;
    point.point_a = origin + corner.u * axes.U + corner.v * axes.V;
    if (!reference_is_a) point.point_a += corner.height * outward;
    point.weight = 0.5 * (before + after);
    const auto [own, cut] = names.meeting(arriving, corner.leaving);
    point.feature = reference_is_a ? feature_name(cut, own) : feature_name(own, cut);
    perimeter += after;
    before = after;
    arriving = corner.leaving;
  }
  if (perimeter < kSmallOverlap * std::min(reference.shape->scale(), other.shape->scale())) return false;
  manifold.count = common.count;
  for (int i = 0; i < common.count; ++i) manifold.points[i].weight /= perimeter;
  return true;
}

}  // namespace

bool box_box_manifold(const Placed& a, const Placed& b, const Vector3d& normal, Manifold& manifold) {
  manifold.normal = normal;
  const Vector3d d_a = a.R.transpose() * normal;
  const Vector3d d_b = -(b.R.transpose() * normal);
  if (is_blended_box(d_a) || is_blended_box(d_b)) return false;
  int axis_a = 0, axis_b = 0;
  const double fit_a = d_a.cwiseAbs().maxCoeff(&axis_a), fit_b = d_b.cwiseAbs().maxCoeff(&axis_b);
  const BoxFace face_a = face_along(d_a, axis_a), face_b = face_along(d_b, axis_b);
  if (fit_a >= fit_b) return fill(a, face_a, b, face_b, normal, true, manifold);
  return fill(b, face_b, a, face_a, -normal, false, manifold);
}

}  // namespace stickslip
